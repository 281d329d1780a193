// What the operator reads about a library file, without the folders of the server. Pure.
#ifndef ASTRAGAL_SERVICES_ADMIN_FILE_TEXT_H_
#define ASTRAGAL_SERVICES_ADMIN_FILE_TEXT_H_

#include <string>
#include <string_view>

namespace astragal::admin {

// The last part of a path.
std::string WithoutFolder(std::string_view path);
// A sentence in which each word that is an absolute path is only its last part: what the dynamic
// linker says begins with one.
std::string WithoutFolders(std::string_view sentence);

}  // namespace astragal::admin

#endif  // ASTRAGAL_SERVICES_ADMIN_FILE_TEXT_H_
