#include "plugins/host/catalog.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "plugins/host/library.h"
#include "plugins/host/probe.h"
#include "plugins/host/sha256.h"

namespace astragal::host {
namespace {

bool IsLibraryName(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 6 && name.compare(0, 3, "lib") == 0 && path.extension() == ".so";
}

// Oldest first, so that the newest is loaded last and preferred; same instants in order of name.
absl::StatusOr<std::vector<std::string>> LibraryFiles(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  if (error)
    return absl::NotFoundError(absl::StrCat("plugins folder ", folder, ": ", error.message()));
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> found;
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    if (!IsLibraryName(entries->path())) continue;
    std::error_code gone;  // a broken link has no time and is refused later
    found.emplace_back(std::filesystem::last_write_time(entries->path(), gone),
                       entries->path().string());
  }
  if (error) return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  std::sort(found.begin(), found.end());
  std::vector<std::string> files;
  for (auto& [time, file] : found) files.push_back(std::move(file));
  return files;
}

// The process may change its folder later; without a folder, loading fails with STORE_FAILED.
CatalogOptions WithAbsoluteStore(CatalogOptions options) {
  std::error_code error;
  const std::filesystem::path store = std::filesystem::absolute(options.store_folder, error);
  if (!error && !options.store_folder.empty()) options.store_folder = store.string();
  return options;
}

// Copy, probe, open.
absl::StatusOr<std::shared_ptr<const Ruleset>> Bring(const CatalogOptions& options,
                                                     const LibraryFile& library) {
  absl::StatusOr<std::string> stored = StoreLibrary(options.store_folder, library);
  if (!stored.ok()) return stored.status();
  ProbeOptions probe{options.probe_path, options.probe_timeout};
  if (probe.program.empty()) {
    absl::StatusOr<std::string> found = FindProbeProgram();
    if (!found.ok()) return RefusalError(Refusal::kProbeFailed, found.status().message());
    probe.program = *found;
  }
  if (absl::Status status = Probe(probe, *stored); !status.ok()) return status;
  return OpenLibrary({library.sha256, *stored});
}

}  // namespace

std::string LoadReport::ToString() const {
  std::string text;
  for (const LoadedFile& file : loaded) {
    const Ruleset& ruleset = *file.ruleset;
    absl::StrAppend(&text, file.was_loaded ? "kept    " : "loaded  ", file.file, ": ",
                    ruleset.about().id, " rules ", ruleset.about().rules_version, " build ",
                    ruleset.build().sha256.substr(0, 12), "\n");
  }
  for (const RefusedFile& file : refused) {
    absl::StrAppend(&text, "refused ", file.file, ": ", RefusalName(file.refusal), ", ",
                    file.detail, "\n");
  }
  return text;
}

Catalog::Catalog(CatalogOptions options) : options_(WithAbsoluteStore(std::move(options))) {}

const Catalog::Entry* Catalog::FindEntry(absl::string_view sha256) const {
  const auto it = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.ruleset->build().sha256 == sha256;
  });
  return it == entries_.end() ? nullptr : &*it;
}

void Catalog::Offer(std::shared_ptr<const Ruleset> ruleset) {
  const std::lock_guard lock(mutex_);
  const uint64_t preference = next_preference_++;
  for (Entry& entry : entries_) {
    if (entry.ruleset != ruleset) continue;
    entry.preference = preference;
    entry.retired = false;
    return;
  }
  entries_.push_back({std::move(ruleset), preference, false});
}

void Catalog::Add(std::shared_ptr<const Ruleset> ruleset) { Offer(std::move(ruleset)); }

void Catalog::LoadOne(const std::string& file, LoadReport& report) {
  const auto refuse = [&](const absl::Status& status) {
    report.refused.push_back({file, RefusalOf(status), std::string(status.message())});
  };
  absl::StatusOr<LibraryFile> library = ReadLibrary(file);
  if (!library.ok()) return refuse(library.status());
  std::shared_ptr<const Ruleset> known = FindBuild(library->sha256);
  const bool was_loaded = known != nullptr;
  if (!was_loaded) {
    absl::StatusOr<std::shared_ptr<const Ruleset>> brought = Bring(options_, *library);
    if (!brought.ok()) return refuse(brought.status());
    known = *std::move(brought);
  }
  Offer(known);
  report.loaded.push_back({file, std::move(known), was_loaded});
}

absl::StatusOr<LoadReport> Catalog::Load(const std::string& folder) {
  absl::StatusOr<std::vector<std::string>> files = LibraryFiles(folder);
  if (!files.ok()) return files.status();
  const std::lock_guard lock(load_mutex_);
  LoadReport report;
  for (const std::string& file : *files) LoadOne(file, report);
  return report;
}

std::shared_ptr<const Ruleset> Catalog::Best(absl::string_view id,
                                             absl::FunctionRef<bool(const Entry&)> accepts) const {
  const Entry* best = nullptr;
  const auto rank = [](const Entry& entry) {
    return std::pair(entry.ruleset->about().rules_version, entry.preference);
  };
  for (const Entry& entry : entries_) {
    if (entry.retired || entry.ruleset->about().id != id || !accepts(entry)) continue;
    if (best == nullptr || rank(entry) > rank(*best)) best = &entry;
  }
  return best == nullptr ? nullptr : best->ruleset;
}

std::shared_ptr<const Ruleset> Catalog::Find(absl::string_view id) const {
  const std::lock_guard lock(mutex_);
  return Best(id, [](const Entry&) { return true; });
}

std::shared_ptr<const Ruleset> Catalog::Find(absl::string_view id, uint32_t rules_version) const {
  const std::lock_guard lock(mutex_);
  return Best(id, [&](const Entry& entry) {
    return entry.ruleset->about().rules_version == rules_version;
  });
}

std::shared_ptr<const Ruleset> Catalog::FindBuild(absl::string_view sha256) const {
  const std::lock_guard lock(mutex_);
  const Entry* entry = FindEntry(sha256);
  return entry == nullptr ? nullptr : entry->ruleset;
}

std::vector<std::shared_ptr<const Ruleset>> Catalog::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<Entry> sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    const About& left = a.ruleset->about();
    const About& right = b.ruleset->about();
    return std::tie(left.id, right.rules_version, b.preference) <
           std::tie(right.id, left.rules_version, a.preference);
  });
  std::vector<std::shared_ptr<const Ruleset>> rulesets;
  for (Entry& entry : sorted) rulesets.push_back(std::move(entry.ruleset));
  return rulesets;
}

absl::Status Catalog::Retire(absl::string_view sha256) {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.ruleset->build().sha256 != sha256) continue;
    entry.retired = true;
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("no build ", sha256, " is loaded"));
}

bool Catalog::IsRetired(absl::string_view sha256) const {
  const std::lock_guard lock(mutex_);
  const Entry* entry = FindEntry(sha256);
  return entry != nullptr && entry->retired;
}

}  // namespace astragal::host
