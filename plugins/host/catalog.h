// All rulesets this process has loaded, by id, rules version and build.
//
// Owns the rulesets for the life of the process: nothing is ever unloaded, so a pointer handed out
// stays good. Thread-safe: loading happens one at a time and finding goes on meanwhile.
//
// Several rules versions of one ruleset stand side by side, and several builds of one rules
// version. A library is copied to <store>/<sha256>/ruleset.so, checked in a child process, and
// loaded from there: overwriting the file it came from touches nothing. Files that are refused
// leave everything else as it was.
#ifndef ASTRAGAL_PLUGINS_HOST_CATALOG_H_
#define ASTRAGAL_PLUGINS_HOST_CATALOG_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "plugins/host/refusal.h"
#include "plugins/host/ruleset.h"

namespace astragal::host {

struct CatalogOptions {
  // Where copies are kept by their hash; created when missing. Must allow execution and be writable
  // by nobody but the owner.
  std::string store_folder;
  // The program that checks a library in a child process; "" looks for ruleset_probe next to the
  // running program, in ../bin and in ../libexec/astragal.
  std::string probe_path;
  // For one library, from start to verdict.
  absl::Duration probe_timeout = absl::Seconds(10);
};

struct LoadedFile {
  std::string file;
  std::shared_ptr<const Ruleset> ruleset;
  bool was_loaded = false;  // this build was there before
};

struct RefusedFile {
  std::string file;
  Refusal refusal = Refusal::kUnreadable;
  std::string detail;  // one sentence for an operator
};

struct LoadReport {
  std::vector<LoadedFile> loaded;
  std::vector<RefusedFile> refused;

  // One line per file.
  std::string ToString() const;
};

class Catalog {
 public:
  explicit Catalog(CatalogOptions options);
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  // Every lib*.so of the folder, oldest first. May be called again while serving: what is new is
  // added, and of builds of one rules version the one seen last is preferred. NotFound when there
  // is no such folder. Blocks for as long as the checks take.
  absl::StatusOr<LoadReport> Load(const std::string& folder);

  // A ruleset that is linked into the program (tests, benchmarks).
  void Add(std::shared_ptr<const Ruleset> ruleset);

  // The preferred build of the newest rules version, for new games. Null when there is none.
  std::shared_ptr<const Ruleset> Find(absl::string_view id) const;
  // The preferred build of one rules version, for going on with a game. Null when there is none.
  std::shared_ptr<const Ruleset> Find(absl::string_view id, uint32_t rules_version) const;
  // One build by the hash of its file, retired or not. Null when there is none.
  std::shared_ptr<const Ruleset> FindBuild(absl::string_view sha256) const;

  // All builds, ordered by id, then rules version (newest first), then preference.
  std::vector<std::shared_ptr<const Ruleset>> List() const;

  // Takes a build out of Find: games go on with another build of their rules version, if there is
  // one. It stays loaded and in FindBuild and List. A later Load of its file takes it back.
  // NotFound.
  absl::Status Retire(absl::string_view sha256);
  bool IsRetired(absl::string_view sha256) const;

 private:
  struct Entry {
    std::shared_ptr<const Ruleset> ruleset;
    uint64_t preference = 0;  // the highest is preferred
    bool retired = false;
  };

  // With load_mutex_ held.
  void LoadOne(const std::string& file, LoadReport& report);
  // Both with mutex_ held.
  const Entry* FindEntry(absl::string_view sha256) const;
  std::shared_ptr<const Ruleset> Best(absl::string_view id,
                                      absl::FunctionRef<bool(const Entry&)> accepts) const;
  // Puts a build before all others of its rules version.
  void Offer(std::shared_ptr<const Ruleset> ruleset);

  const CatalogOptions options_;
  // std::mutex, not absl::Mutex: the thread sanitizer has to see the locks.
  std::mutex load_mutex_;     // one load at a time; taken before mutex_
  mutable std::mutex mutex_;  // of what follows
  std::vector<Entry> entries_;
  uint64_t next_preference_ = 1;
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_CATALOG_H_
