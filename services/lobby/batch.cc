#include "services/lobby/batch.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "services/base/bytes.h"
#include "services/base/derived_request.h"
#include "services/base/status.h"
#include "services/lobby/nouns.h"
#include "services/rpc/call.h"
#include "services/rpc/proposals.h"

namespace astragal::lobby {
namespace {

using base::Error;
using base::Reason;

// The last answer finishes the call.
struct Batch {
  std::atomic<int> left = 0;
  std::function<void(const absl::Status&)> finish;
};

absl::StatusOr<core::CreateGame> ReadBatch(const v1::CreateGamesRequest& request) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request.request_id());
  if (!id.ok()) return id.status();
  if (request.games().empty() || request.games_size() > kMaxGames) {
    return rpc::BadField("games", "must have 1 to 500 entries");
  }
  absl::StatusOr<core::ProposalTerms> terms = rpc::Read(request.terms());
  if (!terms.ok()) return terms.status();
  if (terms->seat) return rpc::BadField("terms.seat", "must be unset");
  if (terms->match) return rpc::BadField("terms.match", "must be unset");
  if (absl::Status bad = core::CheckTerms(*terms); !bad.ok()) return bad;
  core::CreateGame create = core::GameOn(*terms);
  create.request = *id;
  return create;
}

absl::StatusOr<std::vector<base::PlayerId>> ReadPlayers(const v1::NewGame& game) {
  std::vector<base::PlayerId> players;
  for (const std::string& text : game.player_ids()) {
    const auto player = rpc::ReadId<base::PlayerId>(text, "player");
    if (!player.ok()) return player.status();
    if (std::ranges::find(players, *player) != players.end()) {
      return rpc::BadField("player_ids", "must be different");
    }
    players.push_back(*player);
  }
  return players;
}

base::RequestId RequestOf(base::RequestId batch, uint32_t number) {
  base::ByteWriter text;
  text.Put(std::string_view("astragal-batch-1")).Put(batch.bytes).Put(number);
  return base::DeriveRequestId(text.bytes());
}

void Refuse(const absl::Status& why, v1::CreatedGame& out) {
  const Reason reason = base::ReasonOf(why);
  const std::string_view word =
      reason == Reason::kUnspecified ? "INTERNAL" : base::InfoOf(reason).word;
  out.set_reason(word.data(), word.size());
  out.set_message(std::string(why.message()));
}

// Those of all named players that exist. Accounts read at most 1,000 at a time.
absl::StatusOr<std::set<base::PlayerId>> Existing(
    core::Accounts& accounts,
    const std::vector<absl::StatusOr<std::vector<base::PlayerId>>>& games) {
  constexpr size_t kPart = 1'000;
  std::vector<base::PlayerId> asked;
  for (const auto& players : games) {
    if (players.ok()) asked.insert(asked.end(), players->begin(), players->end());
  }
  std::set<base::PlayerId> existing;
  for (size_t at = 0; at < asked.size(); at += kPart) {
    const auto end = asked.begin() + static_cast<ptrdiff_t>(std::min(at + kPart, asked.size()));
    const auto names = accounts.Names({asked.begin() + static_cast<ptrdiff_t>(at), end});
    if (!names.ok()) return names.status();
    for (const auto& name : *names) existing.insert(name.first);
  }
  return existing;
}

absl::Status CheckSeats(const std::vector<base::PlayerId>& players, size_t seats,
                        const std::set<base::PlayerId>& existing) {
  if (players.size() != seats) {
    return rpc::BadField("player_ids", "must be " + std::to_string(seats) + ", one for each seat");
  }
  const auto exists = [&](const base::PlayerId& player) { return existing.contains(player); };
  if (std::ranges::all_of(players, exists)) return absl::OkStatus();
  return Error(Reason::kNotFound, "there is no such player").With("field", "player_ids");
}

}  // namespace

void CreateBatch(core::Games& games, core::Accounts& accounts,
                 const v1::CreateGamesRequest& request, v1::CreateGamesResponse& response,
                 const std::function<void(const absl::Status&)>& finish) {
  const absl::StatusOr<core::CreateGame> common = ReadBatch(request);
  if (!common.ok()) return finish(common.status());
  const absl::StatusOr<storage::GameFacts> facts = games.Preview(*common);
  if (!facts.ok()) return finish(facts.status());
  std::vector<absl::StatusOr<std::vector<base::PlayerId>>> seatings;
  for (const v1::NewGame& game : request.games()) seatings.push_back(ReadPlayers(game));
  const auto existing = Existing(accounts, seatings);
  if (!existing.ok()) return finish(existing.status());

  auto batch = std::make_shared<Batch>();
  batch->finish = finish;
  batch->left = request.games_size();
  for (int i = 0; i < request.games_size(); ++i) response.add_games();
  for (int i = 0; i < request.games_size(); ++i) {
    v1::CreatedGame* const out = response.mutable_games(i);
    const auto answer = [batch, out](const absl::StatusOr<core::CommandResult>& result) {
      result.ok() ? out->set_game_id(result->after->facts->id.ToText())
                  : Refuse(result.status(), *out);
      if (--batch->left == 0) batch->finish(absl::OkStatus());
    };
    const auto& players = seatings[static_cast<size_t>(i)];
    absl::Status seated = players.status();
    if (seated.ok()) seated = CheckSeats(*players, facts->seats, *existing);
    if (!seated.ok()) {
      answer(seated);
      continue;
    }
    core::CreateGame create = *common;
    create.players = *players;
    create.request = RequestOf(common->request, static_cast<uint32_t>(i));
    // The terms and this game's players; what else is in the batch may be corrected.
    v1::CreateGamesRequest body;
    *body.mutable_terms() = request.terms();
    *body.add_games() = request.games(i);
    create.body_hash = rpc::BodyHash("CreateGames", body);
    games.Create(std::move(create), answer);
  }
}

}  // namespace astragal::lobby
