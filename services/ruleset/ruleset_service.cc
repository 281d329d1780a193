#include "services/ruleset/ruleset_service.h"

#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/rpc/nouns.h"

namespace astragal::ruleset {
namespace {

using base::Error;
using base::Reason;
using RulesetPtr = std::shared_ptr<const host::Ruleset>;
using Builds = std::vector<RulesetPtr>;

constexpr int kMaxApplied = 64;
constexpr size_t kMaxNotation = 64;  // bytes

// What a caller wrote does not fit, unless the ruleset broke its contract over it.
absl::Status Refusal(Reason reason, const absl::Status& why, std::string_view field) {
  if (base::ReasonOf(why) == Reason::kRulesetFault) return why;
  return Error(reason, std::string(why.message())).With("field", field);
}

// The loaded builds, grouped by rules version.
std::vector<Builds> ByVersion(const host::Catalog& catalog) {
  std::vector<Builds> versions;
  for (const RulesetPtr& ruleset : catalog.List()) {
    const bool same =
        !versions.empty() && versions.back().front()->about().id == ruleset->about().id &&
        versions.back().front()->about().rules_version == ruleset->about().rules_version;
    if (!same) versions.emplace_back();
    versions.back().push_back(ruleset);
  }
  return versions;
}

absl::StatusOr<RulesetPtr> FindRuleset(const host::Catalog& catalog, const std::string& id,
                                       uint32_t rules_version) {
  if (id.empty()) return rpc::BadField("ruleset_id", "is required");
  RulesetPtr newest = catalog.Find(id);
  if (newest == nullptr) return Error(Reason::kNotFound, "no such ruleset");
  if (rules_version == 0) return newest;
  RulesetPtr wanted = catalog.Find(id, rules_version);
  if (wanted != nullptr) return wanted;
  return Error(Reason::kRulesetVersionUnavailable, "this rules version is not loaded")
      .With("ruleset", id)
      .With("rules_version", rules_version);
}

// A position and the ruleset that reads it.
struct Source {
  RulesetPtr ruleset;
  host::Position position;
};

absl::StatusOr<Source> Read(const host::Catalog& catalog, const v1::PositionSource& source) {
  absl::StatusOr<RulesetPtr> ruleset =
      FindRuleset(catalog, source.ruleset_id(), source.rules_version());
  if (!ruleset.ok()) return ruleset.status();
  absl::StatusOr<host::Position> position;
  switch (source.position_case()) {
    case v1::PositionSource::kText:
      position = (*ruleset)->ParsePosition(source.text());
      break;
    case v1::PositionSource::kData:
      position = (*ruleset)->FromBytes(source.data());
      break;
    case v1::PositionSource::POSITION_NOT_SET:
      return rpc::BadField("source.position", "is required");
  }
  if (!position.ok()) {
    return Refusal(Reason::kBadNotation, position.status(),
                   source.has_text() ? "source.text" : "source.data");
  }
  return Source{*std::move(ruleset), *std::move(position)};
}

absl::StatusOr<int64_t> Parse(const Source& source, const std::string& notation,
                              const std::string& field) {
  if (notation.size() > kMaxNotation) {
    return Error(Reason::kBadNotation, "a notation has at most 64 bytes").With("field", field);
  }
  const int actor = source.ruleset->Actor(source.position);
  absl::StatusOr<int64_t> action = source.ruleset->Parse(source.position, actor, notation);
  if (action.ok()) return action;
  return Refusal(Reason::kBadNotation, action.status(), field);
}

absl::Status ApplyOne(Source& source, const std::string& notation, int index,
                      v1::ApplyActionsResponse& response) {
  const std::string field = "notations[" + std::to_string(index) + "]";
  const absl::StatusOr<int64_t> action = Parse(source, notation, field);
  if (!action.ok()) return action.status();
  const int actor = source.ruleset->Actor(source.position);
  host::Position after = source.position;
  if (const absl::Status legal = source.ruleset->Apply(after, actor, *action); !legal.ok()) {
    return Refusal(Reason::kIllegalAction, legal, field);
  }
  const absl::Status filled =
      rpc::Fill(*source.ruleset, source.position, actor, *action, true, *response.add_applied());
  source.position = std::move(after);
  return filled;
}

}  // namespace

grpc::ServerUnaryReactor* RulesetService::ListRulesets(grpc::CallbackServerContext* context,
                                                       const v1::ListRulesetsRequest* request,
                                                       v1::ListRulesetsResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
    if (!size.ok()) return size.status();
    const absl::StatusOr<std::string> after =
        calls_.pages().Read("ListRulesets", request->page_token());
    if (!after.ok()) return after.status();
    const std::vector<Builds> versions = ByVersion(catalog_);
    size_t at = 0;
    const auto key = [&](size_t i) {
      const host::About& about = versions[i].front()->about();
      return about.id + " " + std::to_string(about.rules_version);
    };
    while (!after->empty() && at < versions.size() && key(at) != *after) ++at;
    if (!after->empty()) ++at;
    for (; at < versions.size() && response->rulesets_size() < static_cast<int>(*size); ++at) {
      *response->add_rulesets() = rpc::ToProto(versions[at]);
    }
    if (at < versions.size()) {
      response->set_next_page_token(calls_.pages().Make("ListRulesets", key(at - 1)));
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* RulesetService::GetRuleset(grpc::CallbackServerContext* context,
                                                     const v1::GetRulesetRequest* request,
                                                     v1::GetRulesetResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<RulesetPtr> ruleset =
        FindRuleset(catalog_, request->ruleset_id(), request->rules_version());
    if (!ruleset.ok()) return ruleset.status();
    for (const Builds& builds : ByVersion(catalog_)) {
      const host::About& about = builds.front()->about();
      if (about.id == (*ruleset)->about().id &&
          about.rules_version == (*ruleset)->about().rules_version) {
        *response->mutable_ruleset() = rpc::ToProto(builds);
      }
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* RulesetService::GetGeometry(grpc::CallbackServerContext* context,
                                                      const v1::GetGeometryRequest* request,
                                                      v1::GetGeometryResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<RulesetPtr> ruleset =
        FindRuleset(catalog_, request->ruleset_id(), request->rules_version());
    if (!ruleset.ok()) return ruleset.status();
    const std::vector<std::pair<std::string, std::string>> changes(request->options().begin(),
                                                                   request->options().end());
    const auto options = (*ruleset)->ResolveOptions(request->preset(), changes);
    if (!options.ok()) return options.status();
    const absl::StatusOr<host::Position> start = (*ruleset)->Start(*options);
    if (!start.ok()) return start.status();
    const absl::StatusOr<std::vector<host::Place>> places = (*ruleset)->Places(*start);
    if (!places.ok()) return places.status();
    for (const host::Place& place : *places) *response->add_places() = rpc::ToProto(place);
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* RulesetService::ParseAction(grpc::CallbackServerContext* context,
                                                      const v1::ParseActionRequest* request,
                                                      v1::ParseActionResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<Source> source = Read(catalog_, request->source());
    if (!source.ok()) return source.status();
    const absl::StatusOr<int64_t> action = Parse(*source, request->notation(), "notation");
    if (!action.ok()) return action.status();
    const int actor = source->ruleset->Actor(source->position);
    host::Position trial = source->position;
    const bool legal = source->ruleset->Apply(trial, actor, *action).ok();
    response->set_legal(legal);
    return rpc::Fill(*source->ruleset, source->position, actor, *action, legal,
                     *response->mutable_action());
  });
}

grpc::ServerUnaryReactor* RulesetService::AnalyzePosition(grpc::CallbackServerContext* context,
                                                          const v1::AnalyzePositionRequest* request,
                                                          v1::AnalyzePositionResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<Source> source = Read(catalog_, request->source());
    if (!source.ok()) return source.status();
    const host::Ruleset& ruleset = *source->ruleset;
    const absl::StatusOr<std::vector<int64_t>> actions = ruleset.Actions(source->position);
    if (!actions.ok()) return actions.status();
    const int actor = ruleset.Actor(source->position);
    for (const int64_t action : *actions) {
      const absl::Status filled =
          rpc::Fill(ruleset, source->position, actor, action, true, *response->add_actions());
      if (!filled.ok()) return filled;
    }
    return rpc::Fill(ruleset, source->position, *response->mutable_position());
  });
}

grpc::ServerUnaryReactor* RulesetService::ApplyActions(grpc::CallbackServerContext* context,
                                                       const v1::ApplyActionsRequest* request,
                                                       v1::ApplyActionsResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    if (request->notations_size() > kMaxApplied) {
      return rpc::BadField("notations", "has more than 64 entries");
    }
    absl::StatusOr<Source> source = Read(catalog_, request->source());
    if (!source.ok()) return source.status();
    for (int i = 0; i < request->notations_size(); ++i) {
      const absl::Status applied = ApplyOne(*source, request->notations(i), i, *response);
      if (!applied.ok()) return applied;
    }
    return rpc::Fill(*source->ruleset, source->position, *response->mutable_position());
  });
}

}  // namespace astragal::ruleset
