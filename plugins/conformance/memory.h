// The writable memory that belongs to a loaded library: its .data and .bss.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_MEMORY_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_MEMORY_H_

#include <string>
#include <vector>

namespace astragal::conformance {

// A copy of it. Taken twice and compared, it tells whether a library changed something of its own.
class LibraryMemory {
 public:
  // `path` as it was given to dlopen. Empty when no such library is loaded.
  static LibraryMemory Of(const std::string& path);

  // Whether both were found and are the same, and where not: the offset from the library's start of
  // the first byte that differs, -1 for none.
  long FirstDifference(const LibraryMemory& later) const;
  bool found() const { return !areas_.empty(); }

 private:
  struct Area {
    long offset = 0;
    std::string bytes;
  };
  std::vector<Area> areas_;
};

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_MEMORY_H_
