// How a proposal becomes a game, and how a finished game becomes a proposal.
#include <algorithm>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"
#include "services/core/lobby.h"
#include "services/core/match_state.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using storage::ProposalKind;
using storage::ProposalRecord;
using storage::ProposalState;

absl::Status BadField(std::string_view field, std::string_view why) {
  return Error(Reason::kBadField, std::string(field) + " " + std::string(why)).With("field", field);
}

// Of the game's age and its id: both players' rematch is one proposal.
ProposalId RematchIdOf(GameId game) {
  constexpr size_t kTimeBytes = 6;
  base::ByteWriter text;
  text.Put(std::string_view("astragal-rematch-1")).Put(game.bytes());
  const base::Bytes32 hash = base::Sha256(text.bytes());
  base::IdBytes bytes = game.bytes();
  std::copy(hash.begin(), hash.begin() + 16 - kTimeBytes, bytes.begin() + kTimeBytes);
  return ProposalId(bytes);
}

absl::Status TakenByOthers(const GameState& game) {
  Error closed(Reason::kProposalClosed, "somebody was faster");
  closed.With("state", static_cast<int64_t>(ProposalState::kTaken));
  if (game.facts->terms.visibility == storage::Visibility::kPublic) {
    closed.With("game_id", game.facts->id.ToText());
  }
  return closed;
}

// Whose answer may be another one in a moment.
bool MayChange(const absl::Status& status) {
  const Reason reason = base::ReasonOf(status);
  return reason == Reason::kProposalClosed || reason == Reason::kStoreUnavailable;
}

}  // namespace

// A call that goes on until its proposal is a game, or cannot be. Answers exactly once, at the
// latest when it is dropped: a scheduler that stops drops its timers.
class Lobby::Attempt {
 public:
  Attempt(const MutationStamp& by, Done done) : stamp(by), done_(std::move(done)) {}
  ~Attempt() { Answer(base::Draining()); }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void Answer(absl::StatusOr<Acceptance> answer) {
    if (const Done done = std::exchange(done_, nullptr)) done(std::move(answer));
  }

  const MutationStamp stamp;
  ProposalId proposal;
  int tries = 0;

 private:
  Done done_;
};

void Lobby::Go(const AttemptPtr& attempt, std::function<void(const AttemptPtr&)> step) {
  const absl::Status posted =
      games_.world().scheduler.Post([attempt, step = std::move(step)] { step(attempt); });
  if (!posted.ok()) attempt->Answer(posted);
}

void Lobby::Accept(ProposalId id, const MutationStamp& stamp, Done done) {
  const auto attempt = std::make_shared<Attempt>(stamp, std::move(done));
  attempt->proposal = id;
  Go(attempt, [this](const AttemptPtr& started) {
    const absl::Status fresh = CheckNotReused(started->stamp);
    fresh.ok() ? TryAccept(started) : started->Answer(fresh);
  });
}

void Lobby::TryAccept(const AttemptPtr& attempt) {
  const PlayerId player = attempt->stamp.account;
  absl::StatusOr<ProposalRecord> record = store_.GetProposal(attempt->proposal);
  if (!record.ok()) return attempt->Answer(record.status());
  if (!MaySee(*record, player)) return attempt->Answer(NoSuchProposal());
  if (record->player == player) {
    return attempt->Answer(BadField("proposal_id", "is the caller's own"));
  }
  const absl::StatusOr<Proposal> proposal = ReadProposal(*std::move(record));
  if (!proposal.ok()) return attempt->Answer(proposal.status());
  const ProposalState state = proposal->record.state;
  if (state == ProposalState::kTaken) {
    return OnGame(attempt, *proposal,
                  games_.CreatedBefore(GameOf(*proposal, player), ProposalClosed(state)));
  }
  if (state != ProposalState::kOpen) return attempt->Answer(ProposalClosed(state));
  if (proposal->record.expires_at <= games_.world().clock.Now()) {
    return attempt->Answer(ProposalClosed(ProposalState::kExpired));
  }
  const absl::Status reliable = CheckCompletion(proposal->terms, player);
  if (!reliable.ok()) return attempt->Answer(reliable);
  BeginGame(attempt, *proposal);
}

// Where a commit ends the next batch waits: what follows runs elsewhere.
void Lobby::BeginGame(const AttemptPtr& attempt, const Proposal& proposal) {
  games_.Create(GameOf(proposal, attempt->stamp.account),
                [this, attempt, proposal](const absl::StatusOr<CommandResult>& result) {
                  Go(attempt, [this, proposal, result](const AttemptPtr& goes_on) {
                    OnGame(goes_on, proposal, result);
                  });
                });
}

void Lobby::OnGame(const AttemptPtr& attempt, Proposal proposal,
                   const absl::StatusOr<CommandResult>& result) {
  if (!result.ok()) {
    const bool was_open = proposal.record.state == ProposalState::kOpen;
    if (was_open && MayChange(result.status())) return TryAgain(attempt, result.status());
    return attempt->Answer(result.status());
  }
  const GameState& game = *result->after;
  if (!game.SeatOf(attempt->stamp.account)) return attempt->Answer(TakenByOthers(game));
  proposal.record.state = ProposalState::kTaken;
  proposal.record.game = game.facts->id;
  // The game stands already, under the proposal's id: this only remembers the request.
  const absl::StatusOr<Proposal> kept =
      AnsweredWith(store_.KeepAnswer(AnswerFor(attempt->stamp, proposal.record)), attempt->stamp);
  if (base::ReasonOf(kept.status()) == Reason::kRequestIdReused) {
    return attempt->Answer(kept.status());
  }
  attempt->Answer(Acceptance{std::move(proposal), *result});
}

// Another node holds the proposal this very moment, or the database did not say what became of it.
void Lobby::TryAgain(const AttemptPtr& attempt, const absl::Status& why) {
  if (++attempt->tries >= kMaxTries) {
    if (base::ReasonOf(why) == Reason::kStoreUnavailable) return attempt->Answer(why);
    return attempt->Answer(
        Error(Reason::kStoreUnavailable, "others are at this proposal; repeat the same request_id")
            .RetryAfterMs(500));
  }
  games_.world().scheduler.PostAfter(kTryAgainMs * attempt->tries,
                                     [this, attempt] { TryAccept(attempt); });
}

// ---- Rematch

void Lobby::Rematch(GameId game, const MutationStamp& stamp, Done done) {
  const auto attempt = std::make_shared<Attempt>(stamp, std::move(done));
  Go(attempt, [this, game](const AttemptPtr& started) {
    const absl::Status fresh = CheckNotReused(started->stamp);
    fresh.ok() ? TryRematch(started, game) : started->Answer(fresh);
  });
}

void Lobby::TryRematch(const AttemptPtr& attempt, GameId game) {
  const PlayerId player = attempt->stamp.account;
  absl::StatusOr<StatePtr> state = LatestOf(game, player);
  std::optional<MatchTerms> match;
  if (state.ok()) state = FirstOfMatch(*state, player, match);
  if (!state.ok()) return attempt->Answer(state.status());
  absl::StatusOr<NewProposal> asked = RematchOf(**state, player);
  if (!asked.ok()) return attempt->Answer(asked.status());
  asked->terms.match = match;
  attempt->proposal = RematchIdOf((*state)->facts->id);
  absl::StatusOr<ProposalRecord> record = store_.GetProposal(attempt->proposal);
  if (absl::IsNotFound(record.status())) {
    absl::StatusOr<Proposal> made = Store(*asked, attempt->proposal, attempt->stamp);
    if (made.ok()) return attempt->Answer(Acceptance{*std::move(made), std::nullopt});
    if (base::ReasonOf(made.status()) != Reason::kAlreadyExists) {
      return attempt->Answer(made.status());
    }
    record = store_.GetProposal(attempt->proposal);  // the other one asked at the same time
  }
  if (!record.ok()) return attempt->Answer(record.status());
  if (record->player == player) return AnswerOwnRematch(attempt, *record);
  TryAccept(attempt);
}

void Lobby::AnswerOwnRematch(const AttemptPtr& attempt, const ProposalRecord& record) {
  absl::StatusOr<Proposal> proposal = ReadProposal(record);
  if (!proposal.ok()) return attempt->Answer(proposal.status());
  const ProposalState state = record.state;
  if (state == ProposalState::kTaken) {
    return OnGame(attempt, *proposal,
                  games_.CreatedBefore(GameOf(*proposal, record.opponent), ProposalClosed(state)));
  }
  if (state != ProposalState::kOpen) return attempt->Answer(ProposalClosed(state));
  if (record.expires_at <= games_.world().clock.Now()) {
    return attempt->Answer(ProposalClosed(ProposalState::kExpired));
  }
  attempt->Answer(Acceptance{*std::move(proposal), std::nullopt});
}

absl::StatusOr<NewProposal> Lobby::RematchOf(const GameState& game, PlayerId player) {
  const std::optional<int> seat = game.SeatOf(player);
  if (!seat) return Error(Reason::kNotSeated, "the caller holds no seat in this game");
  if (game.seats.size() != 2 || !game.IsFull()) {
    return BadField("game_id", "is not a game of two players");
  }
  if (!game.IsOver()) {
    return Error(Reason::kGameStillRunning, "the game is not over");
  }
  const storage::GameFacts& facts = *game.facts;
  NewProposal asked;
  asked.kind = ProposalKind::kChallenge;
  asked.opponent = game.seats[static_cast<size_t>(1 - *seat)].player;
  asked.open_ms = kChallengeMs;
  asked.terms.ruleset = facts.ruleset;
  asked.terms.rules_version = facts.rules_version;
  for (size_t i = 0; i < facts.options.size(); ++i) {
    asked.terms.options.emplace_back(game.ruleset->about().options[i].name,
                                     game.ruleset->OptionText(i, facts.options[i]));
  }
  asked.terms.seat = 1 - *seat;
  asked.terms.visibility = facts.terms.visibility;
  asked.terms.rated = facts.terms.rated;
  asked.terms.clock = facts.terms.clock;
  asked.terms.invite_contributions = game.proceedings.contributions.invited;
  return asked;
}

// Whoever was told by another node that it is over may ask at once: Get may be half a second
// behind.
absl::StatusOr<StatePtr> Lobby::LatestOf(GameId game, PlayerId player) {
  absl::StatusOr<StatePtr> state = games_.Get(game, player);
  if (!state.ok() || (*state)->IsOver()) return state;
  const absl::StatusOr<std::shared_ptr<LiveGame>> live = games_.Find(game);
  if (!live.ok()) return live.status();
  return (*live)->Refresh();
}

// The first game has the options and seats that were agreed on; those of later ones follow from who
// won.
absl::StatusOr<StatePtr> Lobby::FirstOfMatch(const StatePtr& game, PlayerId player,
                                             std::optional<MatchTerms>& terms) {
  const base::MatchId id = game->facts->terms.match;
  if (id.is_nil()) return game;
  const absl::StatusOr<MatchPtr> match = ReadMatch(matches_, id);
  if (!match.ok()) return match.status();
  if ((*match)->Stage() != MatchStage::kOver) {
    return Error(Reason::kGameStillRunning, "the match is not over");
  }
  terms = TermsOf((*match)->match.record);
  return LatestOf((*match)->games.front().game.id, player);
}

}  // namespace astragal::core
