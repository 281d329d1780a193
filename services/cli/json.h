// Messages as JSON, for --json: the names of the proto files, zeros and empty lists included.
#ifndef ASTRAGAL_SERVICES_CLI_JSON_H_
#define ASTRAGAL_SERVICES_CLI_JSON_H_

#include <google/protobuf/message.h>

#include <string>

namespace astragal::cli {

// Several lines, for one document.
std::string JsonDocument(const google::protobuf::Message& message);
// One line, for one of many.
std::string JsonLine(const google::protobuf::Message& message);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_JSON_H_
