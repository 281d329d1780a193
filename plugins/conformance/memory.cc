#include "plugins/conformance/memory.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace astragal::conformance {
namespace {

using Visit = std::function<void(const dl_phdr_info&)>;

int CallVisit(dl_phdr_info* info, size_t, void* visit) {
  (*static_cast<Visit*>(visit))(*info);
  return 0;
}

}  // namespace

LibraryMemory LibraryMemory::Of(const std::string& path) {
  LibraryMemory memory;
  Visit visit = [&](const dl_phdr_info& info) {
    if (info.dlpi_name == nullptr || path != info.dlpi_name) return;
    uint64_t relro_begin = 0;
    uint64_t relro_end = 0;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const auto& segment = info.dlpi_phdr[i];
      if (segment.p_type != PT_GNU_RELRO) continue;
      relro_begin = segment.p_vaddr;
      relro_end = segment.p_vaddr + segment.p_memsz;
    }
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const auto& segment = info.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
      uint64_t begin = segment.p_vaddr;
      const uint64_t end = begin + segment.p_memsz;
      if (begin >= relro_begin && begin < relro_end) begin = std::min(relro_end, end);
      const auto* bytes = reinterpret_cast<const char*>(info.dlpi_addr + begin);
      memory.areas_.push_back({static_cast<long>(begin), std::string(bytes, end - begin)});
    }
  };
  dl_iterate_phdr(CallVisit, &visit);
  return memory;
}

long LibraryMemory::FirstDifference(const LibraryMemory& later) const {
  for (size_t a = 0; a < areas_.size(); ++a) {
    const std::string& before = areas_[a].bytes;
    const std::string& after = later.areas_.at(a).bytes;
    const auto at = std::mismatch(before.begin(), before.end(), after.begin()).first;
    if (at != before.end()) return areas_[a].offset + (at - before.begin());
  }
  return -1;
}

}  // namespace astragal::conformance
