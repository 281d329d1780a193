#include "plugins/host/elf_file.h"

#include <link.h>

#include <cstdint>
#include <cstring>

#include "absl/base/config.h"
#include "plugins/host/refusal.h"

namespace astragal::host {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr int kMachine = EM_RISCV;
#else
#error "name this machine's ELF number here"
#endif
constexpr int kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
#ifdef ABSL_IS_LITTLE_ENDIAN
constexpr int kByteOrder = ELFDATA2LSB;
#else
constexpr int kByteOrder = ELFDATA2MSB;
#endif

bool Inside(absl::string_view bytes, uint64_t offset, uint64_t length) {
  return offset <= bytes.size() && length <= bytes.size() - offset;
}

bool SegmentsAreInside(absl::string_view bytes, const Header& header) {
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Segment segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD && !Inside(bytes, segment.p_offset, segment.p_filesz)) {
      return false;
    }
  }
  return true;
}

absl::Status Truncated() {
  return RefusalError(Refusal::kTruncated, "the file is shorter than its headers say");
}

}  // namespace

absl::Status CheckElf(absl::string_view bytes) {
  if (bytes.substr(0, SELFMAG) != absl::string_view(ELFMAG, SELFMAG)) {
    return RefusalError(Refusal::kNotElf, "the file does not begin like an ELF file");
  }
  if (bytes.size() < EI_NIDENT) return Truncated();
  // The rest of the header is laid out by these two bytes.
  if (bytes[EI_CLASS] != kClass || bytes[EI_DATA] != kByteOrder) {
    return RefusalError(Refusal::kWrongArchitecture,
                        "the file has another word size or byte order");
  }
  Header header;
  if (bytes.size() < sizeof header) return Truncated();
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.e_machine != kMachine) {
    return RefusalError(Refusal::kWrongArchitecture, "the file is for another kind of machine");
  }
  if (header.e_type != ET_DYN) {
    return RefusalError(Refusal::kNotLibrary, "the file is no shared library");
  }
  if (header.e_phentsize != sizeof(Segment) ||
      !Inside(bytes, header.e_phoff, uint64_t{header.e_phnum} * sizeof(Segment)) ||
      !Inside(bytes, header.e_shoff, uint64_t{header.e_shnum} * header.e_shentsize) ||
      !SegmentsAreInside(bytes, header)) {
    return Truncated();
  }
  return absl::OkStatus();
}

}  // namespace astragal::host
