#include "services/core/lobby.h"

#include <algorithm>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/derived_request.h"
#include "services/base/lobby_reasons.h"
#include "services/base/status.h"
#include "services/core/completion.h"

namespace astragal::core {
namespace {

using base::ByteWriter;
using base::Error;
using base::Reason;
using storage::ProposalKind;
using storage::ProposalRecord;
using storage::ProposalState;

struct Duration {
  int64_t usual_ms;
  int64_t most_ms;
};

Duration OpenFor(ProposalKind kind) {
  switch (kind) {
    case ProposalKind::kChallenge:
      return {Lobby::kChallengeMs, Lobby::kMaxOpenMs};
    case ProposalKind::kTicket:
      return {Lobby::kTicketMs, Lobby::kMaxTicketMs};
    case ProposalKind::kSeek:
      break;
  }
  return {Lobby::kSeekMs, Lobby::kMaxOpenMs};
}

absl::Status BadField(std::string_view field, std::string_view why) {
  return Error(Reason::kBadField, std::string(field) + " " + std::string(why)).With("field", field);
}

// What CreateGame calls options.NAME is terms.options.NAME here.
absl::Status InTerms(const absl::Status& why) {
  const Reason reason = base::ReasonOf(why);
  const auto details = base::DetailsOf(why);
  const auto field = details.find("field");
  if (reason == Reason::kUnspecified || field == details.end()) return why;
  return Error(reason, std::string(why.message())).With("field", "terms." + field->second);
}

// What makes two tickets fit: everything that is played, however it was written. Readable as far as
// an operator wants to know.
std::string PoolOf(const ProposalTerms& terms, const storage::GameFacts& facts) {
  ProposalTerms same = terms;
  same.preset.clear();
  same.options.clear();
  same.seat.reset();
  same.last_opponent = {};
  same.least_completion = 0;  // the queue looks at both tickets
  same.missed = 0;
  ByteWriter text;
  text.Put(std::string_view("astragal-pool-1")).Put(std::string_view(EncodeTerms(same)));
  for (const int64_t option : facts.options) text.Put(option);
  return terms.ruleset + ":" + base::Hex(base::AsView(base::Sha256(text.bytes()))).substr(0, 32);
}

}  // namespace

storage::Answer Lobby::AnswerFor(const MutationStamp& stamp, const ProposalRecord& record) {
  return {stamp.account, stamp.request, stamp.body_hash, EncodeProposal(record)};
}

absl::StatusOr<Proposal> Lobby::AnsweredWith(const absl::StatusOr<storage::Mutation>& mutation,
                                             const MutationStamp& stamp) {
  if (!mutation.ok()) return mutation.status();
  if (mutation->repeated && mutation->answer.body_hash != stamp.body_hash) return RequestReused();
  absl::StatusOr<ProposalRecord> record = DecodeProposal(mutation->answer.payload);
  if (!record.ok()) return record.status();
  return ReadProposal(*std::move(record));
}

Lobby::Lobby(Games& games, storage::LobbyStore& store, storage::MatchStore& matches,
             FindCompletion find_completion)
    : games_(games),
      store_(store),
      matches_(matches),
      find_completion_(std::move(find_completion)),
      seat_key_(base::HmacSha256(games.world().box.key(), "astragal lobby seats")) {}

absl::Status Lobby::CheckNotReused(const MutationStamp& stamp) {
  const auto known = store_.FindAnswer(stamp.account, stamp.request);
  if (!known.ok()) return known.status();
  return *known && (*known)->body_hash != stamp.body_hash ? RequestReused() : absl::OkStatus();
}

absl::Status Lobby::CheckAsked(NewProposal& asked, PlayerId player) {
  const bool is_ticket = asked.kind == ProposalKind::kTicket;
  const Duration duration = OpenFor(asked.kind);
  if (asked.open_ms < 0 || asked.open_ms > duration.most_ms) {
    return BadField("open_seconds",
                    is_ticket ? "must be at most an hour" : "must be at most 14 days");
  }
  if (asked.open_ms == 0) asked.open_ms = duration.usual_ms;
  if (is_ticket && asked.terms.seat) return BadField("terms.seat", "cannot be asked of the queue");
  if (asked.kind == ProposalKind::kChallenge && asked.opponent == player) {
    return BadField("opponent_id", "is the caller");
  }
  if (asked.kind != ProposalKind::kChallenge &&
      asked.terms.visibility == storage::Visibility::kPrivate) {
    return BadField("terms.visibility", "can be private in a challenge only");
  }
  return CheckTerms(asked.terms);
}

PlayerId Lobby::LastOpponent(PlayerId player) {
  storage::GameFilter filter;
  filter.player = player;
  filter.with_hidden = true;
  const auto games = games_.world().store.List(filter, {}, 1);
  if (!games.ok() || games->empty()) return {};  // it is a courtesy
  for (const storage::SeatRecord& seat : games->front().seats) {
    if (seat.player != player) return seat.player;
  }
  return {};
}

absl::Status Lobby::CheckCompletion(const ProposalTerms& terms, PlayerId player) {
  if (terms.least_completion == 0) return absl::OkStatus();
  const absl::StatusOr<int> completion = find_completion_(player);
  if (!completion.ok()) return completion.status();
  if (*completion >= terms.least_completion) return absl::OkStatus();
  return Error(base::kCompletionTooLow, "the caller has completed too few of his last rated games")
      .With("completion_percent", static_cast<int64_t>(*completion))
      .With("min_completion_percent", static_cast<int64_t>(terms.least_completion));
}

absl::StatusOr<Proposal> Lobby::Propose(NewProposal asked, const MutationStamp& stamp) {
  if (absl::Status bad = CheckAsked(asked, stamp.account); !bad.ok()) return bad;
  return Store(asked, ProposalId::Make(games_.world().clock.Now(), games_.world().random), stamp);
}

absl::StatusOr<Proposal> Lobby::Store(const NewProposal& asked, ProposalId id,
                                      const MutationStamp& stamp) {
  Proposal proposal{{}, asked.terms};
  CreateGame game = GameOn(asked.terms);
  const absl::StatusOr<storage::GameFacts> facts = games_.Preview(game);
  if (!facts.ok()) {
    // What is refused now may be the repeat of what was done then.
    const auto known = store_.FindAnswer(stamp.account, stamp.request);
    if (!known.ok() || !*known) return InTerms(facts.status());
    return AnsweredWith(storage::Mutation{true, **known}, stamp);
  }
  if (facts->seats != 2) return BadField("terms.options", "must make a game for two");
  proposal.terms.rules_version = facts->rules_version;
  if (std::optional<MatchTerms>& match = proposal.terms.match) {
    match->first_mover = FirstMoverOf(*match, games_.world().catalog, game);
  }
  ProposalRecord& record = proposal.record;
  record.kind = asked.kind;
  record.player = stamp.account;
  record.opponent = asked.opponent;
  record.created_at = games_.world().clock.Now();
  record.expires_at = {record.created_at.micros + asked.open_ms * 1'000};
  if (asked.kind == ProposalKind::kTicket) {
    record.pool = PoolOf(proposal.terms, *facts);
    proposal.terms.last_opponent = LastOpponent(stamp.account);
    const absl::StatusOr<int> completion = find_completion_(stamp.account);
    if (!completion.ok()) return completion.status();
    proposal.terms.missed = kWholeCompletion - *completion;
  }
  record.terms = EncodeTerms(proposal.terms);
  if (asked.validate_only) return proposal;
  record.id = id;
  return AnsweredWith(store_.CreateProposal(record, kMaxOpen, AnswerFor(stamp, record)), stamp);
}

void Lobby::HideGame(Proposal& proposal, PlayerId viewer, bool is_seated) {
  const bool is_his = !viewer.is_nil() && (proposal.record.player == viewer ||
                                           proposal.record.opponent == viewer || is_seated);
  if (is_his || proposal.terms.visibility == storage::Visibility::kPublic) return;
  proposal.record.game = {};
}

absl::StatusOr<Proposal> Lobby::Get(ProposalId id, PlayerId viewer) {
  absl::StatusOr<ProposalRecord> record = store_.GetProposal(id);
  if (!record.ok()) return record.status();
  if (!MaySee(*record, viewer)) return NoSuchProposal();
  const Instant now = games_.world().clock.Now();
  if (record->state == ProposalState::kOpen && record->expires_at <= now) {
    record->state = ProposalState::kExpired;  // before anybody marks it so
  }
  absl::StatusOr<Proposal> proposal = ReadProposal(*std::move(record));
  if (!proposal.ok() || proposal->record.game.is_nil()) return proposal;
  const absl::StatusOr<StatePtr> game = games_.Get(proposal->record.game, viewer);
  HideGame(*proposal, viewer, game.ok() && (*game)->SeatOf(viewer).has_value());
  return proposal;
}

absl::StatusOr<Proposal> Lobby::Close(ProposalId id, ProposalState state,
                                      const MutationStamp& stamp) {
  absl::StatusOr<ProposalRecord> record = store_.GetProposal(id);
  if (!record.ok()) return record.status();
  if (!MaySee(*record, stamp.account)) return NoSuchProposal();
  record->state = state;
  record->game = {};
  return AnsweredWith(store_.CloseProposal(id, state, stamp.account, AnswerFor(stamp, *record)),
                      stamp);
}

// Nobody can compute it before the game begins, and every node gets the same.
int Lobby::SeatOfProposer(const Proposal& proposal) const {
  if (proposal.terms.seat) return *proposal.terms.seat;
  return base::HmacSha256(seat_key_, base::AsView(proposal.record.id.bytes()))[0] & 1;
}

CreateGame Lobby::GameOf(const Proposal& proposal, PlayerId other) {
  const ProposalRecord& record = proposal.record;
  CreateGame create = GameOn(proposal.terms);
  create.player = record.player;
  ByteWriter name;
  name.Put(std::string_view("astragal-proposal-game-1")).Put(record.id.bytes());
  create.request = base::DeriveRequestId(name.bytes());
  create.body_hash = base::Sha256(name.bytes());
  const auto seat = static_cast<size_t>(SeatOfProposer(proposal));
  create.players.assign(2, other);
  create.players[seat] = record.player;
  create.takes = {record.id};
  if (proposal.terms.match) BeginMatch(*proposal.terms.match, games_.world(), create);
  return create;
}

}  // namespace astragal::core
