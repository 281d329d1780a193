#include "services/tournament/tournament_service.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "services/algorithms/pairing/trf.h"
#include "services/base/status.h"
#include "services/core/tournaments/import.h"
#include "services/rpc/still_wanted.h"
#include "services/tournament/exports.h"
#include "services/tournament/nouns.h"
#include "services/tournament/pairing_check.h"
#include "services/tournament/tournament_stream.h"

namespace astragal::tournament {
namespace {

using core::TournamentCommand;
using core::TournamentState;
using Kind = core::TournamentEntryKind;

// Names asked for at a time.
constexpr size_t kMaxNames = 1'000;

template <typename Request>
concept Paged = requires(const Request& request) {
  request.page_token();
};

// What the list is of: the request without what differs from page to page.
template <typename Request>
std::string ScopeOf(const Request& request) {
  Request same = request;
  same.clear_page_size();
  same.clear_page_token();
  const std::string name(Request::descriptor()->name());
  return name + base::Hex(base::AsView(rpc::BodyHash(name, same)));
}

uint64_t NumberFrom(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

size_t CountOpen(const TournamentState& state) {
  size_t open = 0;
  for (const core::TournamentRound& round : state.rounds) {
    if (round.stage != core::RoundStage::kDrafted) open += round.Open();
  }
  return open;
}

}  // namespace

template <typename Request>
absl::StatusOr<std::pair<uint32_t, size_t>> TournamentService::BeginOf(
    const Request& request) const {
  const absl::StatusOr<std::string> cursor =
      calls_.pages().Read(ScopeOf(request), request.page_token());
  if (!cursor.ok()) return cursor.status();
  const size_t blank = std::min(cursor->find(' '), cursor->size());
  const std::string_view text = *cursor;
  return std::pair{static_cast<uint32_t>(NumberFrom(text.substr(0, blank))),
                   static_cast<size_t>(NumberFrom(text.substr(std::min(blank + 1, text.size()))))};
}

template <typename Request>
absl::StatusOr<TournamentService::Page> TournamentService::PageOf(const TournamentState& state,
                                                                  const Request& request,
                                                                  size_t count,
                                                                  size_t first) const {
  const absl::StatusOr<size_t> size = base::PageSize(request.page_size());
  if (!size.ok()) return size.status();
  const auto begin = BeginOf(request);
  if (!begin.ok()) return begin.status();
  Page page;
  page.from = std::min(begin->first == 0 ? first : begin->second, count);
  page.to = std::min(page.from + *size, count);
  if (page.to < count) {
    page.next = calls_.pages().Make(ScopeOf(request),
                                    std::to_string(state.version) + " " + std::to_string(page.to));
  }
  return page;
}

absl::StatusOr<rpc::Names> TournamentService::NamesOf(const TournamentState& state) const {
  std::vector<base::PlayerId> players = {state.owner};
  for (const core::TournamentPlayer& player : state.players) players.push_back(player.id);
  rpc::Names names;
  for (size_t from = 0; from < players.size(); from += kMaxNames) {
    const auto begin = players.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end =
        begin + static_cast<std::ptrdiff_t>(std::min(kMaxNames, players.size() - from));
    const auto part = calls_.accounts().Names({begin, end});
    if (!part.ok()) return part.status();
    names.insert(part->begin(), part->end());
  }
  return names;
}

absl::Status TournamentService::FillTournament(const TournamentState& state,
                                               v1::Tournament& out) const {
  const auto names = calls_.accounts().Names({state.owner});
  if (!names.ok()) return names.status();
  out = ToProto(state, *names);
  return absl::OkStatus();
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* TournamentService::Show(
    grpc::CallbackServerContext* context, const Request* request, Response* response,
    absl::Status (TournamentService::*fill)(const TournamentState&, base::PlayerId, const Request&,
                                            Response&)) {
  return calls_.Viewed(
      context, *request, [this, request, response, fill](base::PlayerId viewer) -> absl::Status {
        const auto id = rpc::ReadId<storage::TournamentId>(request->tournament_id(), "tournament");
        if (!id.ok()) return id.status();
        uint32_t version = 0;
        if constexpr (Paged<Request>) {
          const auto begin = BeginOf(*request);
          if (!begin.ok()) return begin.status();
          version = begin->first;
        }
        const absl::StatusOr<core::TournamentPtr> state =
            version == 0 ? tournaments_.Read(*id, viewer)
                         : tournaments_.ReadAt(*id, viewer, version);
        if (!state.ok()) return state.status();
        return (this->*fill)(**state, viewer, *request, *response);
      });
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* TournamentService::Command(grpc::CallbackServerContext* context,
                                                     const Request* request, Response* response,
                                                     Kind kind, Fill fill) {
  return calls_.Identified(
      context, *request,
      [this, context, request, response, kind, fill](const core::Identity& caller) -> absl::Status {
        const auto request_id = rpc::ReadRequestId(request->request_id());
        if (!request_id.ok()) return request_id.status();
        const auto id = rpc::ReadId<storage::TournamentId>(request->tournament_id(), "tournament");
        if (!id.ok()) return id.status();
        const base::Bytes32 hash =
            rpc::BodyHash(std::string(Request::descriptor()->name()), *request);
        TournamentCommand command = NewCommand(kind, caller.player, *request_id, hash);
        command.go_on = [context] { return rpc::StillWanted(*context); };
        if (fill != nullptr) {
          if (absl::Status filled = fill(command); !filled.ok()) return filled;
        }
        const absl::StatusOr<core::TournamentAnswer> done = tournaments_.Do(*id, command);
        if (!done.ok()) return done.status();
        return FillTournament(*done->tournament, *response->mutable_tournament());
      },
      rpc::Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* TournamentService::CreateTournament(
    grpc::CallbackServerContext* context, const v1::CreateTournamentRequest* request,
    v1::CreateTournamentResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) -> absl::Status {
        const auto request_id = rpc::ReadRequestId(request->request_id());
        if (!request_id.ok()) return request_id.status();
        const absl::StatusOr<core::TournamentTerms> terms = Read(request->terms());
        if (!terms.ok()) return terms.status();
        core::NewTournament made;
        made.by = caller.player;
        made.request = *request_id;
        made.body_hash = rpc::BodyHash("CreateTournament", *request);
        made.terms = *terms;
        made.open = !request->draft();
        const absl::StatusOr<core::TournamentPtr> tournament = tournaments_.Create(made);
        if (!tournament.ok()) return tournament.status();
        return FillTournament(**tournament, *response->mutable_tournament());
      },
      rpc::Calls::Purpose::kChange);
}

absl::Status TournamentService::ReadFile(const std::string& file,
                                         core::NewTournament& tournament) const {
  absl::StatusOr<algorithms::TrfFile> read = algorithms::ParseTrf(file);
  if (!read.ok()) return rpc::BadField("file", std::string(read.status().message()));
  if (tournament.terms.rounds != 0) {
    read->table.rounds_planned = std::max<int>(tournament.terms.rounds, read->table.rounds_played);
  }
  std::vector<base::PlayerId> players;
  for (const algorithms::Entrant& entrant : read->table.players) {
    const auto player = calls_.accounts().GetPlayerByName(entrant.name);
    if (absl::IsNotFound(player.status())) {
      return base::Error(base::Reason::kNotFound, "no player has the name " + entrant.name)
          .With("player", entrant.name);
    }
    if (!player.ok()) return player.status();
    players.push_back(player->id);
  }
  auto entries = core::ImportedEntries(read->table, players, tournament.by, clock_.Now());
  if (!entries.ok()) return entries.status();
  tournament.imported = *std::move(entries);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::ImportTournament(
    grpc::CallbackServerContext* context, const v1::ImportTournamentRequest* request,
    v1::ImportTournamentResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) -> absl::Status {
        const auto request_id = rpc::ReadRequestId(request->request_id());
        if (!request_id.ok()) return request_id.status();
        const absl::StatusOr<core::TournamentTerms> terms = Read(request->terms());
        if (!terms.ok()) return terms.status();
        if (terms->format != core::TournamentFormat::kSwiss) {
          return rpc::BadField("terms.format", "must be Swiss");
        }
        core::NewTournament made;
        made.by = caller.player;
        made.request = *request_id;
        made.body_hash = rpc::BodyHash("ImportTournament", *request);
        made.terms = *terms;
        if (absl::Status read = ReadFile(request->file(), made); !read.ok()) return read;
        const absl::StatusOr<core::TournamentPtr> tournament = tournaments_.Create(made);
        if (!tournament.ok()) return tournament.status();
        return FillTournament(**tournament, *response->mutable_tournament());
      },
      rpc::Calls::Purpose::kChange);
}

absl::Status TournamentService::FillList(const v1::ListTournamentsRequest& request,
                                         v1::ListTournamentsResponse& response) {
  const absl::StatusOr<size_t> size = base::PageSize(request.page_size());
  if (!size.ok()) return size.status();
  const absl::StatusOr<std::string> token =
      calls_.pages().Read(ScopeOf(request), request.page_token());
  if (!token.ok()) return token.status();
  std::optional<core::TournamentStatus> status;
  if (request.status() != 0) status = static_cast<core::TournamentStatus>(request.status());
  const auto before = storage::TournamentId::Parse(*token).value_or(storage::TournamentId());
  const auto heads = tournaments_.List(status, before, *size);
  if (!heads.ok()) return heads.status();
  for (const storage::TournamentHead& head : *heads) {
    // Whoever may not see it is not told that it is there.
    if (tournaments_.Read(head.id, {}).ok()) *response.add_tournaments() = ToProto(head);
  }
  if (heads->size() == *size) {
    response.set_next_page_token(calls_.pages().Make(ScopeOf(request), heads->back().id.ToText()));
  }
  return absl::OkStatus();
}

absl::Status TournamentService::FillGet(const TournamentState& state, base::PlayerId,
                                        const v1::GetTournamentRequest&,
                                        v1::GetTournamentResponse& response) {
  return FillTournament(state, *response.mutable_tournament());
}

absl::Status TournamentService::FillEntrants(const TournamentState& state, base::PlayerId,
                                             const v1::ListEntrantsRequest& request,
                                             v1::ListEntrantsResponse& response) {
  const absl::StatusOr<Page> page = PageOf(state, request, state.players.size());
  if (!page.ok()) return page.status();
  const auto names = NamesOf(state);
  if (!names.ok()) return names.status();
  for (size_t i = page->from; i < page->to; ++i) {
    *response.add_entrants() = EntrantToProto(state, i, *names);
  }
  response.set_next_page_token(page->next);
  response.set_version(state.version);
  return absl::OkStatus();
}

absl::Status TournamentService::FillRound(const TournamentState& state, base::PlayerId viewer,
                                          const v1::GetRoundRequest& request,
                                          v1::GetRoundResponse& response) {
  const absl::StatusOr<size_t> round = FindRound(state, request.round(), SeesDrafts(state, viewer));
  if (!round.ok()) return round.status();
  const absl::StatusOr<Page> page = PageOf(state, request, state.rounds[*round].boards.size());
  if (!page.ok()) return page.status();
  const auto names = NamesOf(state);
  if (!names.ok()) return names.status();
  *response.mutable_round() = RoundToProto(state, *round);
  for (size_t i = page->from; i < page->to; ++i) {
    *response.add_pairings() = PairingToProto(state, *round, i, *names);
  }
  response.set_next_page_token(page->next);
  response.set_version(state.version);
  return absl::OkStatus();
}

absl::Status TournamentService::FillStandings(const TournamentState& state, base::PlayerId,
                                              const v1::ListStandingsRequest& request,
                                              v1::ListStandingsResponse& response) {
  for (const std::string& column : core::ColumnsOf(state.terms)) response.add_tie_breaks(column);
  response.set_version(state.version);
  response.set_missing(static_cast<int32_t>(CountOpen(state)));
  if (!state.HasStarted()) return absl::OkStatus();
  const std::vector<core::Standing> standings = core::StandingsOf(state);
  size_t first = 0;
  if (!request.around_player_id().empty()) {
    const auto player = rpc::ReadId<base::PlayerId>(request.around_player_id(), "player");
    if (!player.ok()) return player.status();
    const auto found =
        std::ranges::find(standings, state.IndexOf(*player), &core::Standing::player);
    const auto size = base::PageSize(request.page_size());
    if (!size.ok()) return size.status();
    const auto place = static_cast<size_t>(found - standings.begin());
    first = found == standings.end() ? 0 : place - std::min(place, *size / 2);
  }
  const absl::StatusOr<Page> page = PageOf(state, request, standings.size(), first);
  if (!page.ok()) return page.status();
  const auto names = NamesOf(state);
  if (!names.ok()) return names.status();
  for (size_t i = page->from; i < page->to; ++i) {
    v1::StandingsRow& row = *response.add_rows();
    row = ToProto(state, standings[i], *names);
    row.set_position(static_cast<int32_t>(i) + 1);
  }
  response.set_next_page_token(page->next);
  return absl::OkStatus();
}

absl::StatusOr<core::TournamentPtr> TournamentService::AsPaired(const TournamentState& state,
                                                                base::PlayerId viewer,
                                                                int32_t number,
                                                                size_t& round) const {
  const absl::StatusOr<size_t> found = FindRound(state, number, SeesDrafts(state, viewer));
  if (!found.ok()) return found.status();
  round = *found;
  return tournaments_.ReadAt(state.id, viewer, state.rounds[round].drafted_version);
}

absl::Status TournamentService::FillExplanation(const TournamentState& state, base::PlayerId viewer,
                                                const v1::ExplainPairingRequest& request,
                                                v1::ExplainPairingResponse& response) {
  size_t round = 0;
  const auto then = AsPaired(state, viewer, request.round(), round);
  if (!then.ok()) return then.status();
  *response.mutable_round() = RoundToProto(state, round);
  return ExplainRound(**then, round, response);
}

absl::Status TournamentService::FillCheck(const TournamentState& state, base::PlayerId viewer,
                                          const v1::CheckPairingRequest& request,
                                          v1::CheckPairingResponse& response) {
  size_t round = 0;
  const auto then = AsPaired(state, viewer, request.round(), round);
  if (!then.ok()) return then.status();
  *response.mutable_round() = RoundToProto(state, round);
  return CheckRound(**then, round, clock_, response);
}

absl::Status TournamentService::FillExport(const TournamentState& state, base::PlayerId,
                                           const v1::ExportTournamentRequest& request,
                                           v1::ExportTournamentResponse& response) {
  const auto names = NamesOf(state);
  if (!names.ok()) return names.status();
  absl::StatusOr<ExportedFile> file = Export(state, *names, request.content(), request.format());
  if (!file.ok()) return file.status();
  response.set_text(std::move(file->text));
  response.set_media_type(std::move(file->media_type));
  response.set_version(state.version);
  return absl::OkStatus();
}

absl::Status TournamentService::FillEvents(const TournamentState& state, base::PlayerId viewer,
                                           const v1::ListTournamentEventsRequest& request,
                                           v1::ListTournamentEventsResponse& response) {
  const absl::StatusOr<Page> page = PageOf(state, request, state.version, request.after_version());
  if (!page.ok()) return page.status();
  const auto entries =
      tournaments_.ReadLog(state.id, static_cast<uint32_t>(page->from), page->to - page->from);
  if (!entries.ok()) return entries.status();
  const bool drafts = SeesDrafts(state, viewer);
  for (const core::TournamentEntry& entry : *entries) {
    if (drafts || IsPublic(entry)) *response.add_events() = ToProto(entry);
  }
  response.set_next_page_token(page->next);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::ListTournaments(
    grpc::CallbackServerContext* context, const v1::ListTournamentsRequest* request,
    v1::ListTournamentsResponse* response) {
  return calls_.Viewed(context, *request, [this, request, response](base::PlayerId) {
    return FillList(*request, *response);
  });
}

// Methods that show a tournament.
#define ASTRAGAL_SHOW(Name, Fill)                                                         \
  grpc::ServerUnaryReactor* TournamentService::Name(grpc::CallbackServerContext* context, \
                                                    const v1::Name##Request* request,     \
                                                    v1::Name##Response* response) {       \
    return Show(context, request, response, &TournamentService::Fill);                    \
  }
ASTRAGAL_SHOW(GetTournament, FillGet)
ASTRAGAL_SHOW(ListEntrants, FillEntrants)
ASTRAGAL_SHOW(GetRound, FillRound)
ASTRAGAL_SHOW(ListStandings, FillStandings)
ASTRAGAL_SHOW(ExplainPairing, FillExplanation)
ASTRAGAL_SHOW(CheckPairing, FillCheck)
ASTRAGAL_SHOW(ExportTournament, FillExport)
ASTRAGAL_SHOW(ListTournamentEvents, FillEvents)
#undef ASTRAGAL_SHOW

grpc::ServerUnaryReactor* TournamentService::Register(grpc::CallbackServerContext* context,
                                                      const v1::RegisterRequest* request,
                                                      v1::RegisterResponse* response) {
  return Command(context, request, response, Kind::kRegistered,
                 [request](TournamentCommand& command) {
                   command.number = request->rating();
                   command.begins_second = request->begins_second();
                   command.facts.emplace().invite = InviteHash(request->invite_code());
                   return absl::OkStatus();
                 });
}

grpc::ServerUnaryReactor* TournamentService::Challenge(grpc::CallbackServerContext* context,
                                                       const v1::ChallengeRequest* request,
                                                       v1::ChallengeResponse* response) {
  return Command(context, request, response, Kind::kChallenged,
                 [request](TournamentCommand& command) {
                   const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
                   if (player.ok()) command.player = *player;
                   return player.status();
                 });
}

grpc::ServerUnaryReactor* TournamentService::CheckIn(grpc::CallbackServerContext* context,
                                                     const v1::CheckInRequest* request,
                                                     v1::CheckInResponse* response) {
  return Command(context, request, response, Kind::kCheckedIn);
}

grpc::ServerUnaryReactor* TournamentService::WithdrawFromTournament(
    grpc::CallbackServerContext* context, const v1::WithdrawFromTournamentRequest* request,
    v1::WithdrawFromTournamentResponse* response) {
  return Command(context, request, response, Kind::kWithdrawn);
}

grpc::ServerUnaryReactor* TournamentService::ReturnToTournament(
    grpc::CallbackServerContext* context, const v1::ReturnToTournamentRequest* request,
    v1::ReturnToTournamentResponse* response) {
  return Command(context, request, response, Kind::kPlayerReturned);
}

grpc::ServerUnaryReactor* TournamentService::RequestBye(grpc::CallbackServerContext* context,
                                                        const v1::RequestByeRequest* request,
                                                        v1::RequestByeResponse* response) {
  return Command(
      context, request, response, Kind::kByeRequested, [request](TournamentCommand& command) {
        command.round = request->round();
        command.number = static_cast<int64_t>(
            request->half_point() ? algorithms::Outcome::kHalfBye : algorithms::Outcome::kZeroBye);
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<v1::WatchTournamentResponse>* TournamentService::WatchTournament(
    grpc::CallbackServerContext* context, const v1::WatchTournamentRequest* request) {
  return std::make_shared<TournamentStream>(tournaments_, clock_, calls_, *request)
      ->Begin(*context, *request);
}

}  // namespace astragal::tournament
