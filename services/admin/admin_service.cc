#include "services/admin/admin_service.h"

#include <memory>
#include <utility>
#include <vector>

#include "services/admin/file_text.h"
#include "services/base/log.h"
#include "services/base/status.h"

namespace astragal::admin {
namespace {

using base::Error;
using base::Reason;
using RulesetPtr = std::shared_ptr<const host::Ruleset>;

constexpr std::string_view kListScope = "ListRulesetBuilds";

// A build that was not there before, or a refusal, is worth a line; the rest is as it was.
void LogReport(const host::LoadReport& report) {
  for (const host::LoadedFile& file : report.loaded) {
    if (file.was_loaded) continue;
    const host::About& about = file.ruleset->about();
    base::Log(base::Severity::kInfo, "operator loaded a ruleset",
              {{"ruleset", about.id},
               {"rules_version", std::to_string(about.rules_version)},
               {"build", file.ruleset->build().sha256.substr(0, 12)}});
  }
  for (const host::RefusedFile& file : report.refused) {
    base::Log(base::Severity::kWarning, "ruleset refused",
              {{"file", file.file}, {"why", file.detail}});
  }
}

uint32_t Beyond(size_t count) {
  constexpr size_t kMost = AdminService::kMaxFiles;
  return static_cast<uint32_t>(count > kMost ? count - kMost : 0);
}

}  // namespace

v1::LoadedRulesetBuild AdminService::Describe(const host::Ruleset& ruleset) const {
  const host::About& about = ruleset.about();
  const std::string& sha256 = ruleset.build().sha256;
  const auto is_this = [&](const RulesetPtr& found) {
    return found != nullptr && found->build().sha256 == sha256;
  };
  v1::LoadedRulesetBuild out;
  out.set_ruleset_id(about.id);
  out.set_rules_version(about.rules_version);
  out.set_sha256(sha256);
  out.set_preferred(is_this(catalog_.Find(about.id, about.rules_version)));
  out.set_serves_new_games(is_this(catalog_.Find(about.id)));
  out.set_retired(catalog_.IsRetired(sha256));
  return out;
}

absl::Status AdminService::Load(v1::LoadRulesetsResponse& response) {
  const absl::StatusOr<host::LoadReport> report = catalog_.Load(plugins_folder_);
  if (!report.ok()) {
    base::Log(base::Severity::kWarning, "plugins folder not read",
              {{"folder", plugins_folder_}, {"why", std::string(report.status().message())}});
    return Error(Reason::kNotFound, "the server cannot read its plugins folder");
  }
  LogReport(*report);
  for (const host::LoadedFile& file : report->loaded) {
    if (response.loaded_size() == kMaxFiles) break;
    v1::LoadedRulesetFile& entry = *response.add_loaded();
    entry.set_file(WithoutFolder(file.file));
    *entry.mutable_build() = Describe(*file.ruleset);
    entry.set_was_loaded(file.was_loaded);
  }
  for (const host::RefusedFile& file : report->refused) {
    if (response.refused_size() == kMaxFiles) break;
    v1::RefusedRulesetFile& entry = *response.add_refused();
    entry.set_file(WithoutFolder(file.file));
    const absl::string_view word = host::RefusalName(file.refusal);
    entry.set_reason(word.data(), word.size());
    entry.set_message(WithoutFolders(file.detail));
  }
  response.set_omitted(Beyond(report->loaded.size()) + Beyond(report->refused.size()));
  return absl::OkStatus();
}

// Two that wait for each other would hold two of the scheduler's few threads.
absl::Status AdminService::LoadAlone(v1::LoadRulesetsResponse& response) {
  if (loading_.exchange(true)) {
    return Error(Reason::kMailboxFull, "rulesets are being loaded already")
        .RetryAfterMs(kLoadAgainMs);
  }
  const absl::Status loaded = Load(response);
  loading_ = false;
  return loaded;
}

grpc::ServerUnaryReactor* AdminService::LoadRulesets(grpc::CallbackServerContext* context,
                                                     const v1::LoadRulesetsRequest* request,
                                                     v1::LoadRulesetsResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const core::Identity& caller) {
        return answers_.Once(caller, "LoadRulesets", request->request_id(), *request, *response,
                             [&] { return LoadAlone(*response); });
      });
}

grpc::ServerUnaryReactor* AdminService::ListRulesetBuilds(
    grpc::CallbackServerContext* context, const v1::ListRulesetBuildsRequest* request,
    v1::ListRulesetBuildsResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) -> absl::Status {
        const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
        if (!size.ok()) return size.status();
        const absl::StatusOr<std::string> after =
            calls_.pages().Read(kListScope, request->page_token());
        if (!after.ok()) return after.status();
        const std::vector<RulesetPtr> builds = catalog_.List();
        size_t at = 0;
        while (!after->empty() && at < builds.size() && builds[at]->build().sha256 != *after) ++at;
        if (!after->empty()) ++at;
        for (; at < builds.size() && response->builds_size() < static_cast<int>(*size); ++at) {
          *response->add_builds() = Describe(*builds[at]);
        }
        if (at < builds.size()) {
          response->set_next_page_token(
              calls_.pages().Make(kListScope, builds[at - 1]->build().sha256));
        }
        return absl::OkStatus();
      });
}

absl::Status AdminService::Retire(const std::string& sha256,
                                  v1::RetireRulesetBuildResponse& response) {
  if (sha256.empty()) return rpc::BadField("sha256", "is required");
  if (!catalog_.Retire(sha256).ok()) {
    return Error(Reason::kNotFound, "no such build is loaded").With("field", "sha256");
  }
  const RulesetPtr build = catalog_.FindBuild(sha256);
  base::Log(base::Severity::kInfo, "operator retired a build",
            {{"ruleset", build->about().id}, {"build", sha256.substr(0, 12)}});
  *response.mutable_build() = Describe(*build);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* AdminService::RetireRulesetBuild(
    grpc::CallbackServerContext* context, const v1::RetireRulesetBuildRequest* request,
    v1::RetireRulesetBuildResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const core::Identity& caller) {
        return answers_.Once(caller, "RetireRulesetBuild", request->request_id(), *request,
                             *response, [&] { return Retire(request->sha256(), *response); });
      });
}

}  // namespace astragal::admin
