#include "services/rpc/access.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace astragal::rpc {
namespace {

using enum Effect;
using enum Who;
using core::Scope;

constexpr std::array kTable = {
    Access{"AdminService.CreatePlayerApiKey", kStaff, Scope::kOperate, kManages},
    Access{"AdminService.GetServerInfo", kAnybody, Scope::kRead, kLooks},
    Access{"AdminService.ListPlayerApiKeys", kStaff, Scope::kOperate, kLooks},
    Access{"AdminService.ListRulesetBuilds", kStaff, Scope::kOperate, kLooks},
    Access{"AdminService.LoadRulesets", kStaff, Scope::kOperate, kManages},
    Access{"AdminService.RetireRulesetBuild", kStaff, Scope::kOperate, kManages},
    Access{"AdminService.RevokePlayerApiKey", kStaff, Scope::kOperate, kManages},
    Access{"AdminService.SetServerMode", kStaff, Scope::kOperate, kManages},
    Access{"AuthService.CreateApiKey", kPlayer, Scope::kAccount, kManages},
    Access{"AuthService.ListApiKeys", kPlayer, Scope::kAccount, kLooks},
    Access{"AuthService.RevokeApiKey", kPlayer, Scope::kAccount, kManages, Also::kOwn},
    Access{"AuthService.SignIn", kAnybody, Scope::kRead, kManages},
    Access{"AuthService.WhoAmI", kPlayer, Scope::kRead, kLooks},
    Access{"EventService.WatchMyEvents", kPlayer, Scope::kRead, kWatches},
    Access{"GameService.AbortGame", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.AnswerPing", kPlayer, Scope::kRead, kLooks, Also::kOwn},
    Access{"GameService.ClaimResult", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.ContributeToDice", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.CreateGame", kPlayer, Scope::kPlay, kBegins},
    Access{"GameService.EndTurn", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.GetGame", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"GameService.JoinGame", kPlayer, Scope::kPlay, kBegins, Also::kSeen},
    Access{"GameService.LeaveGame", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.ListGames", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"GameService.ListLegalActions", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"GameService.MakeOffer", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.PlayActions", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.ResignGame", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.RespondToOffer", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.UndoActions", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"GameService.WatchGame", kAnybody, Scope::kRead, kWatches, Also::kSeen},
    Access{"HistoryService.GetPosition", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"HistoryService.ListEvents", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"HistoryService.StreamReplay", kAnybody, Scope::kRead, kWatches, Also::kSeen},
    Access{"LobbyService.AcceptProposal", kPlayer, Scope::kPlay, kBegins, Also::kOwn},
    Access{"LobbyService.CreateChallenge", kPlayer, Scope::kPlay, kBegins},
    Access{"LobbyService.CreateGames", kStaff, Scope::kOperate, kBegins},
    Access{"LobbyService.CreateSeek", kPlayer, Scope::kPlay, kBegins},
    Access{"LobbyService.CreateTicket", kPlayer, Scope::kPlay, kBegins},
    Access{"LobbyService.DeclineChallenge", kPlayer, Scope::kPlay, kManages, Also::kOwn},
    Access{"LobbyService.GetProposal", kAnybody, Scope::kRead, kLooks, Also::kOwn},
    Access{"LobbyService.ListMyProposals", kPlayer, Scope::kRead, kLooks},
    Access{"LobbyService.ListSeeks", kAnybody, Scope::kRead, kLooks},
    Access{"LobbyService.RequestRematch", kPlayer, Scope::kPlay, kBegins, Also::kSeat},
    Access{"LobbyService.WatchLobby", kAnybody, Scope::kRead, kWatches},
    Access{"LobbyService.WithdrawProposal", kPlayer, Scope::kPlay, kManages, Also::kOwn},
    Access{"MatchService.CreateMatch", kStaff, Scope::kOperate, kBegins},
    Access{"MatchService.GetMatch", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"MatchService.ListMatches", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"MatchService.StartNextGame", kPlayer, Scope::kPlay, kActs, Also::kSeat},
    Access{"MatchService.WatchMatch", kAnybody, Scope::kRead, kWatches, Also::kSeen},
    Access{"ModerationService.AdjudicateGame", kStaff, Scope::kModerate, kManages},
    Access{"ModerationService.AnnulGame", kStaff, Scope::kModerate, kManages},
    Access{"ModerationService.EraseAccount", kPlayer, Scope::kAccount, kManages, Also::kOwn},
    Access{"ModerationService.ErasePlayer", kStaff, Scope::kModerate, kManages},
    Access{"ModerationService.ExportAccount", kPlayer, Scope::kAccount, kLooks, Also::kOwn},
    Access{"ModerationService.ExportPlayer", kStaff, Scope::kModerate, kLooks},
    Access{"ModerationService.ListAuditEntries", kStaff, Scope::kModerate, kLooks},
    Access{"ModerationService.RestrictPlayer", kStaff, Scope::kModerate, kManages},
    Access{"PlayerService.CreatePlayer", kAnybody, Scope::kRead, kManages},
    Access{"PlayerService.GetPlayer", kAnybody, Scope::kRead, kLooks},
    Access{"PlayerService.ListPlayers", kAnybody, Scope::kRead, kLooks},
    Access{"PlayerService.UpdatePlayer", kPlayer, Scope::kAccount, kManages},
    Access{"RatingService.EstimateOwnRating", kPlayer, Scope::kPlay, kManages},
    Access{"RatingService.ExamineTables", kStaff, Scope::kOperate, kManages},
    Access{"RatingService.GetHeadToHead", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.GetRating", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.ListLeaderboard", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.ListLeaderboardSnapshots", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.ListRatingPools", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.ListRatingSteps", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.PinRating", kStaff, Scope::kOperate, kManages},
    Access{"RatingService.PredictResult", kAnybody, Scope::kRead, kLooks},
    Access{"RatingService.Recompute", kStaff, Scope::kOperate, kManages},
    Access{"RatingService.SetHousehold", kStaff, Scope::kOperate, kManages},
    Access{"RecordService.ArchiveGames", kStaff, Scope::kOperate, kManages},
    Access{"RecordService.CompareBuilds", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.ExportGames", kAnybody, Scope::kRead, kWatches, Also::kSeen},
    Access{"RecordService.FindGames", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.FindSequence", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.GetFairnessProof", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.GetGameStatistics", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.GetReceipt", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.GetThrowStatistics", kAnybody, Scope::kRead, kLooks},
    Access{"RecordService.ImportGames", kStaff, Scope::kOperate, kManages},
    Access{"RecordService.ListReceiptKeys", kAnybody, Scope::kRead, kLooks},
    Access{"RecordService.VerifyGame", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"RecordService.VerifyGames", kStaff, Scope::kOperate, kLooks},
    Access{"RulesetService.AnalyzePosition", kAnybody, Scope::kRead, kLooks},
    Access{"RulesetService.ApplyActions", kAnybody, Scope::kRead, kLooks},
    Access{"RulesetService.GetGeometry", kAnybody, Scope::kRead, kLooks},
    Access{"RulesetService.GetRuleset", kAnybody, Scope::kRead, kLooks},
    Access{"RulesetService.ListRulesets", kAnybody, Scope::kRead, kLooks},
    Access{"RulesetService.ParseAction", kAnybody, Scope::kRead, kLooks},
    Access{"TournamentDirectorService.AddPlayer", kPlayer, Scope::kDirect, kManages, Also::kOffice},
    Access{"TournamentDirectorService.AdjustPoints", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.CancelTournament", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ChangeRounds", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ChangeTieBreaks", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.CloseRound", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.DraftRound", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.EditPairing", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ExpelPlayer", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.FinishTournament", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ForbidPairing", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.GiveBye", kPlayer, Scope::kDirect, kManages, Also::kOffice},
    Access{"TournamentDirectorService.GiveRole", kPlayer, Scope::kDirect, kManages, Also::kOffice},
    Access{"TournamentDirectorService.OpenCheckIn", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.OpenRegistration", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.OverrideResult", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.PausePlayer", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.PauseTournament", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.PublishRound", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ReopenTournament", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ReplayMatch", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ResumeTournament", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.ReturnPlayer", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.StartTournament", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.UnpublishRound", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentDirectorService.WithdrawPlayer", kPlayer, Scope::kDirect, kManages,
           Also::kOffice},
    Access{"TournamentService.Challenge", kPlayer, Scope::kPlay, kBegins},
    Access{"TournamentService.CheckIn", kPlayer, Scope::kPlay, kManages},
    Access{"TournamentService.CheckPairing", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.CreateTournament", kPlayer, Scope::kDirect, kBegins},
    Access{"TournamentService.ExplainPairing", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.ExportTournament", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.GetRound", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.GetTournament", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.ImportTournament", kPlayer, Scope::kDirect, kBegins},
    Access{"TournamentService.ListEntrants", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.ListStandings", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.ListTournamentEvents", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.ListTournaments", kAnybody, Scope::kRead, kLooks, Also::kSeen},
    Access{"TournamentService.Register", kPlayer, Scope::kPlay, kBegins},
    Access{"TournamentService.RequestBye", kPlayer, Scope::kPlay, kManages},
    Access{"TournamentService.ReturnToTournament", kPlayer, Scope::kPlay, kManages},
    Access{"TournamentService.WatchTournament", kAnybody, Scope::kRead, kWatches, Also::kSeen},
    Access{"TournamentService.WithdrawFromTournament", kPlayer, Scope::kPlay, kManages},
};
static_assert(std::ranges::is_sorted(kTable, {}, &Access::method));

// The contract itself, one line for each method of the protos (proto/list_methods.cc): what has no
// row here, and a row that has no method there, does not compile.
consteval bool HasOneRow(std::string_view method) {
  return std::ranges::count(kTable, method, &Access::method) == 1;
}
#define ASTRAGAL_METHOD(method) \
  static_assert(HasOneRow(method), method " has no row in services/rpc/access.cc");
#define ASTRAGAL_METHODS(count) \
  static_assert(kTable.size() == (count), "services/rpc/access.cc has a row of no method");
#include "astragal/v1/methods.inc"
#undef ASTRAGAL_METHOD
#undef ASTRAGAL_METHODS

constexpr std::array kWhoWords = {"anybody", "a player", "whoever has the scope"};
constexpr std::array kEffectWords = {"looks", "watches", "begins", "acts", "manages"};
constexpr std::array kAlsoWords = {"", "a seat in the game", "private ones: a seat",
                                   "one's own, or meant for oneself",
                                   "an office in the tournament"};

template <typename Enum, size_t count>
std::string_view Word(const std::array<const char*, count>& words, Enum value) {
  return words[static_cast<size_t>(value)];
}

// Which roles' keys have the scope that a row asks for.
std::string RolesText(Scope scope) {
  std::string text;
  for (const core::Role& role : core::kRoles) {
    if (!role.scopes.Has(scope)) continue;
    text.append(text.empty() ? "" : ", ").append(role.word);
  }
  return text;
}

}  // namespace

std::span<const Access> AccessTable() { return kTable; }

absl::Status CheckAccess(const google::protobuf::ServiceDescriptor& service) {
  const std::string prefix = service.name() + ".";
  std::vector<std::string_view> rows;
  for (const Access& access : kTable) {
    if (access.method.starts_with(prefix)) rows.push_back(access.method);
  }
  std::map<const google::protobuf::Descriptor*, std::string> requests;
  for (int i = 0; i < service.method_count(); ++i) {
    const auto& method = *service.method(i);
    const std::string name = prefix + method.name();
    if (std::erase(rows, name) == 0) {
      return absl::FailedPreconditionError(name + " has no row in services/rpc/access.cc");
    }
    const auto [at, fresh] = requests.emplace(method.input_type(), name);
    if (!fresh) {
      return absl::FailedPreconditionError(name + " shares its request with " + at->second);
    }
  }
  if (rows.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError("services/rpc/access.cc has a row for " +
                                       std::string(rows.front()) + ", which is no method");
}

std::string AccessText() {
  std::string text =
      "# Who may call what\n\n"
      "Made from `access.cc`, which is what the server obeys; a test compares the two. The scope "
      "is one\n"
      "that the key of the call must have; every key has `read`. What a call does decides about "
      "limits,\n"
      "restricted accounts and the server's modes (`access.h`).\n\n"
      "| role | scopes of its keys |\n| --- | --- |\n";
  for (const core::Role& role : core::kRoles) {
    text.append("| ").append(role.word).append(" |");
    for (const core::ScopeName& name : core::kScopeNames) {
      if (role.scopes.Has(name.scope)) text.append(" `").append(name.word).append("`");
    }
    text.append(" |\n");
  }
  text +=
      "\n| method | who | scope | roles | does | also needs |\n| --- | --- | --- | --- | --- | --- "
      "|\n";
  for (const Access& access : kTable) {
    text.append("| `").append(access.method).append("` | ");
    text.append(Word(kWhoWords, access.who)).append(" | `").append(core::WordOf(access.scope));
    text.append("` | ").append(access.scope == Scope::kRead ? "all" : RolesText(access.scope));
    text.append(" | ").append(Word(kEffectWords, access.effect)).append(" | ");
    text.append(Word(kAlsoWords, access.also)).append(" |\n");
  }
  return text;
}

}  // namespace astragal::rpc
