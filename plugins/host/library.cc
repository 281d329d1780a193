#include "plugins/host/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "plugins/host/elf_file.h"
#include "plugins/host/file.h"
#include "plugins/host/guard.h"
#include "plugins/host/refusal.h"
#include "plugins/host/sha256.h"

namespace astragal::host {
namespace {

std::string FolderOf(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? std::string(1, '.') : parent.string();
}

absl::Status CheckFolder(const std::string& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    return RefusalError(Refusal::kUnreadable, absl::StrCat("the folder: ", std::strerror(errno)));
  }
  if ((info.st_mode & S_IWOTH) != 0) {
    return RefusalError(Refusal::kWorldWritable, "anybody may write to the folder of the file");
  }
  return absl::OkStatus();
}

absl::Status CheckFile(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    return RefusalError(Refusal::kUnreadable, std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return RefusalError(Refusal::kNotRegularFile, "a folder, pipe, device or socket");
  }
  if ((info.st_mode & S_IWOTH) != 0) {
    return RefusalError(Refusal::kWorldWritable, "anybody may write to the file");
  }
  if (static_cast<uint64_t>(info.st_size) > kMaxLibraryBytes) {
    return RefusalError(Refusal::kTooLarge,
                        absl::StrCat("the file has more than ", kMaxLibraryBytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadSmallEnough(int fd) {
  absl::StatusOr<std::string> bytes = ReadAll(fd, kMaxLibraryBytes);
  if (!bytes.ok()) return RefusalError(Refusal::kUnreadable, bytes.status().message());
  if (bytes->size() > kMaxLibraryBytes) {
    return RefusalError(Refusal::kTooLarge, "the file grew while it was read");
  }
  return bytes;
}

// Whether the store already has exactly these bytes.
bool IsStored(const std::string& path, const LibraryFile& file) {
  const Descriptor stored(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!stored.is_open()) return false;
  const absl::StatusOr<std::string> bytes = ReadAll(stored.get(), file.bytes.size());
  return bytes.ok() && *bytes == file.bytes;
}

// The dynamic linker tells its reasons apart by words only.
Refusal LinkerRefusal(absl::string_view why) {
  if (absl::StrContains(why, "undefined symbol")) return Refusal::kUndefinedSymbol;
  if (absl::StrContains(why, "cannot open shared object")) return Refusal::kMissingDependency;
  if (absl::StrContains(why, "version `")) return Refusal::kMissingDependency;
  if (absl::StrContains(why, "file too short")) return Refusal::kTruncated;
  return Refusal::kCannotLoad;
}

absl::Status NoEntry(void* library) {
  for (unsigned major = 0; major < 100; ++major) {
    if (::dlsym(library, absl::StrCat("astragal_ruleset_v", major).c_str()) == nullptr) continue;
    return RefusalError(Refusal::kWrongAbiMajor,
                        absl::StrCat("made for ABI ", major, ", this is ABI ", ASTRAGAL_ABI_MAJOR));
  }
  return RefusalError(Refusal::kNoEntry,
                      absl::StrCat("the library exports no " ASTRAGAL_ENTRY_NAME));
}

}  // namespace

absl::StatusOr<LibraryFile> ReadLibrary(const std::string& path) {
  if (absl::Status status = CheckFolder(FolderOf(path)); !status.ok()) return status;
  // A pipe without a writer must not hold us up.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return RefusalError(Refusal::kUnreadable, std::strerror(errno));
  if (absl::Status status = CheckFile(file.get()); !status.ok()) return status;
  absl::StatusOr<std::string> bytes = ReadSmallEnough(file.get());
  if (!bytes.ok()) return bytes.status();
  if (absl::Status status = CheckElf(*bytes); !status.ok()) return status;
  std::string sha256 = Sha256Hex(*bytes);
  return LibraryFile{*std::move(bytes), std::move(sha256)};
}

std::string StoredPath(const std::string& store_folder, absl::string_view sha256) {
  return absl::StrCat(store_folder, "/", sha256, "/ruleset.so");
}

absl::StatusOr<std::string> StoreLibrary(const std::string& store_folder, const LibraryFile& file) {
  const std::string path = StoredPath(store_folder, file.sha256);
  std::error_code error;
  std::filesystem::create_directories(FolderOf(path), error);
  if (error) return RefusalError(Refusal::kStoreFailed, error.message());
  if (!CheckFolder(FolderOf(path)).ok() || !CheckFolder(store_folder).ok()) {
    return RefusalError(Refusal::kStoreFailed, "anybody may write to the store");
  }
  if (IsStored(path, file)) return path;
  if (absl::Status status = WriteAtomically(path, file.bytes); !status.ok()) {
    return RefusalError(Refusal::kStoreFailed, status.message());
  }
  return path;
}

absl::StatusOr<std::shared_ptr<const Ruleset>> OpenLibrary(Build build) {
  void* library = ::dlopen(build.path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* why = ::dlerror();
    return RefusalError(LinkerRefusal(why == nullptr ? "" : why), why == nullptr ? "" : why);
  }
  const auto entry = reinterpret_cast<astragal_entry>(::dlsym(library, ASTRAGAL_ENTRY_NAME));
  if (entry == nullptr) return NoEntry(library);
  const astragal_ruleset* table = nullptr;
  if (!Returns([&] { table = entry(); })) {
    return RefusalError(Refusal::kBrokeContract, ASTRAGAL_ENTRY_NAME " throws an exception");
  }
  return Ruleset::Create(table, std::move(build));
}

}  // namespace astragal::host
