#include "services/cli/play_session.h"

#include <poll.h>

#include <array>
#include <ostream>
#include <utility>

#include "absl/time/clock.h"
#include "services/base/crypto.h"
#include "services/base/status.h"
#include "services/cli/board_text.h"
#include "services/cli/call_status.h"
#include "services/cli/errors.h"
#include "services/cli/event_text.h"
#include "services/cli/receipt_text.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

// How often the stream's silence is looked at.
constexpr int kLookMs = 2'000;
// How long the end of a game waits for its receipt; a server may have none to give.
constexpr absl::Duration kReceiptPatience = absl::Seconds(3);

constexpr std::string_view kHelp =
    "Type an action as listed; several actions of one turn may stand on one line, between spaces\n"
    "or commas.\n"
    "  board, b   show the board again\n"
    "  resign     give the game up\n"
    "  quit, q    leave the board; the game goes on, `astragal play GAME` comes back to it\n"
    "  ?, help    this, and how actions are written\n";

bool IsOver(v1::GameStatus status) {
  return status == v1::GAME_STATUS_FINISHED || status == v1::GAME_STATUS_ABORTED;
}

}  // namespace

PlaySession::PlaySession(Context& context, Client& client, std::string game_id,
                         absl::Duration patience)
    : context_(context),
      client_(client),
      game_id_(std::move(game_id)),
      patience_(patience),
      lines_(context.terminal().in_fd) {}

absl::Status PlaySession::Open() {
  const auto me = client_.Call(v1::WhoAmIRequest());
  if (!me.ok()) return me.status();
  v1::GetGameRequest request;
  request.set_game_id(game_id_);
  auto game = client_.Call(request);
  if (!game.ok()) return game.status();
  game_ = std::move(*game->mutable_game());
  seats_ = Seats(game_);
  const std::optional<int> seat = seats_.SeatOf(me->player().player_id());
  if (!seat) {
    return base::Error(base::Reason::kNotSeated,
                       me->player().name() + " holds no seat of this game.");
  }
  seat_ = *seat;
  context_.out() << "You (" << me->player().name() << ") play " << seats_.Name(seat_)
                 << ". Type ? for help.\n";
  return absl::OkStatus();
}

absl::Status PlaySession::Run() {
  if (absl::Status opened = Open(); !opened.ok()) return opened;
  follow_ = std::make_unique<Follow>(client_, game_id_, std::nullopt, patience_);
  while (!is_done_) {
    if (absl::Status taken = OnItems(); !taken.ok()) return taken;
    if (is_done_) break;
    if (CanTakeLine()) {
      if (absl::Status done = OnLine(lines_.Take()); !done.ok()) return done;
    } else if (lines_.at_end() && !lines_.HasLine() && legal_.sequence() > 0 &&
               game_.status() != v1::GAME_STATUS_CONTRIBUTING) {  // that ends by itself, soon
      break;
    } else {
      WaitForSomething();
    }
  }
  if (IsOver(game_.status())) AwaitReceipt();
  context_.out() << std::flush;
  return first_refusal_;
}

// The answer to the last action comes before the end of the stream.
void PlaySession::AwaitReceipt() {
  const absl::Time until = absl::Now() + kReceiptPatience;
  while (!has_receipt_ && absl::Now() < until) {
    follow_->Wait(Follow::kSettle);
    for (const Follow::Item& item : follow_->Take()) {
      if (const auto* receipt = std::get_if<v1::Receipt>(&item)) ShowReceipt(*receipt);
      if (std::holds_alternative<Follow::End>(item)) return;
    }
  }
}

void PlaySession::ShowReceipt(const v1::Receipt& receipt) {
  has_receipt_ = true;
  context_.out() << context_.terminal().Faint(ReceiptText(receipt, context_.ProgramForOthers()))
                 << "\n";
}

bool PlaySession::IsMyTurn() const {
  // Before the first answer there is no sequence.
  return legal_.sequence() > 0 && !is_stale_ && game_.status() == v1::GAME_STATUS_RUNNING &&
         legal_.position().actor() == seat_;
}

bool PlaySession::CanTakeLine() const {
  if (!lines_.HasLine()) return false;
  if (context_.terminal().in_is_tty) return true;
  return IsMyTurn() ||
         (last_event_ > 0 && ReadPlayLine(lines_.Front(), legal_).kind != PlayLine::Kind::kActions);
}

void PlaySession::WaitForSomething() {
  const bool listens = !lines_.at_end();
  std::array<pollfd, 2> entries{pollfd{follow_->fd(), POLLIN, 0},
                                pollfd{listens ? lines_.fd() : -1, POLLIN, 0}};
  if (poll(entries.data(), entries.size(), kLookMs) <= 0) return;
  if (entries[1].revents != 0) lines_.Read();
}

absl::Status PlaySession::OnItems() {
  do {
    const std::vector<Follow::Item> items = follow_->Take();
    for (const Follow::Item& item : items) {
      if (absl::Status taken = OnItem(item); !taken.ok()) return taken;
    }
  } while (is_stale_ && follow_->Wait(Follow::kSettle));
  return is_stale_ ? Refresh() : absl::OkStatus();
}

absl::Status PlaySession::OnItem(const Follow::Item& item) {
  if (const auto* snapshot = std::get_if<v1::GameSnapshot>(&item)) {
    last_event_ = std::max(last_event_, snapshot->game().sequence());
    is_stale_ = true;
  } else if (const auto* event = std::get_if<v1::Event>(&item)) {
    OnEvent(*event);
  } else if (const auto* presence = std::get_if<v1::Presence>(&item)) {
    context_.out() << context_.terminal().Faint(
                          "(connected: " + seats_.WhoAre(ConnectedSeats(*presence)) + ")")
                   << "\n"
                   << std::flush;
  } else if (const auto* receipt = std::get_if<v1::Receipt>(&item)) {
    ShowReceipt(*receipt);
  } else if (std::get_if<Follow::Lost>(&item) != nullptr) {
    context_.out() << "(connection lost; coming back)\n" << std::flush;
  } else if (std::get_if<Follow::Regained>(&item) != nullptr) {
    context_.out() << "(connected again)\n" << std::flush;
    is_stale_ = true;
  } else {
    // OK: the game is over, which Refresh shows.
    is_stale_ = true;
    return std::get<Follow::End>(item).status;
  }
  return absl::OkStatus();
}

// The stream repeats what the answers to the session's own moves have shown already.
void PlaySession::OnEvent(const v1::Event& event) {
  if (event.sequence() <= last_event_) return;
  last_event_ = event.sequence();
  is_stale_ = is_stale_ || last_event_ > legal_.sequence();
  if (event.has_seated()) {
    v1::GetGameRequest request;
    request.set_game_id(game_id_);
    // Only for the player's name; without it the sentence names the id.
    if (auto game = client_.Call(request); game.ok()) seats_ = Seats(game->game());
  }
  context_.out() << context_.terminal().Faint(EventText(event, seats_)) << "\n";
}

absl::Status PlaySession::AddToDice(v1::Game& game) {
  const bool had_given = contribution_.given();
  if (absl::Status done = contribution_.Step(client_, seat_, game); !done.ok()) return done;
  if (contribution_.given() && !had_given) {
    context_.out() << "Added to the dice: 32 random bytes, " << base::Hex(contribution_.bytes())
                   << ". Compare them afterwards:  " << context_.ProgramForOthers() << " proof "
                   << game_id_ << "\n";
  }
  return absl::OkStatus();
}

absl::Status PlaySession::Refresh() {
  v1::GetGameRequest get;
  get.set_game_id(game_id_);
  auto game = client_.Call(get);
  if (!game.ok()) return game.status();
  if (absl::Status added = AddToDice(*game->mutable_game()); !added.ok()) return added;
  v1::ListLegalActionsRequest list;
  list.set_game_id(game_id_);
  auto legal = client_.Call(list);
  if (!legal.ok()) return legal.status();
  game_ = std::move(*game->mutable_game());
  legal_ = *std::move(legal);
  seats_ = Seats(game_);
  is_stale_ = false;
  Show();
  return absl::OkStatus();
}

void PlaySession::Show() {
  std::ostream& out = context_.out();
  out << "\n" << BoardText(legal_.position());
  if (IsOver(game_.status())) {
    out << "Result: " << ResultText({game_.seats().begin(), game_.seats().end()}, game_.ending())
        << "\n";
    if (!game_.match_id().empty()) {
      out << "It was game " << game_.match_game()
          << " of a match; the next one is in: " << context_.ProgramForOthers() << " match show "
          << game_.match_id() << "\n";
    }
    is_done_ = true;
  } else if (game_.status() == v1::GAME_STATUS_OPEN) {
    out << "Waiting for players. They type: " << context_.ProgramForOthers() << " join " << game_id_
        << "\n";
  } else if (game_.status() == v1::GAME_STATUS_CONTRIBUTING) {
    out << "Waiting for what the seats add to the dice.\n";
  } else {
    out << context_.terminal().Bold(TurnText(legal_.position(), seats_)) << "\n";
    if (IsMyTurn()) out << ActionsText(legal_, context_.terminal());
    Prompt();
  }
  out << std::flush;
}

void PlaySession::Prompt() {
  if (IsMyTurn() && context_.terminal().in_is_tty) {
    context_.out() << seats_.Name(seat_) << "> " << std::flush;
  }
}

absl::Status PlaySession::OnLine(const std::string& line) {
  const PlayLine read = ReadPlayLine(line, legal_);
  switch (read.kind) {
    case PlayLine::Kind::kNothing:
      Prompt();
      return absl::OkStatus();
    case PlayLine::Kind::kHelp:
      ShowHelp();
      Prompt();
      return absl::OkStatus();
    case PlayLine::Kind::kBoard:
      return Refresh();
    case PlayLine::Kind::kResign:
      return Resign();
    case PlayLine::Kind::kQuit:
      context_.out() << "The game goes on; come back with: " << context_.ProgramForOthers()
                     << " play " << game_id_ << "\n";
      is_done_ = true;
      return absl::OkStatus();
    case PlayLine::Kind::kActions:
      return OnActions(read);
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::PlayActionsResponse> PlaySession::Send(const std::vector<std::string>& actions) {
  v1::PlayActionsRequest request;
  request.set_game_id(game_id_);
  request.set_expected_sequence(legal_.sequence());
  for (const std::string& action : actions) request.add_actions()->set_notation(action);
  return client_.Call(request);
}

absl::Status PlaySession::OnActions(const PlayLine& read) {
  if (!IsMyTurn()) {
    context_.out() << "It is not your turn: " << TurnText(legal_.position(), seats_) << ".\n"
                   << std::flush;
    return absl::OkStatus();
  }
  auto played = Send(read.actions);
  if (!played.ok() && read.maybe_one && ReasonWordOf(played.status()) == "BAD_NOTATION") {
    if (auto again = Send({read.whole}); again.ok()) played = std::move(again);
  }
  if (played.ok()) {
    for (const v1::Event& event : played->events()) OnEvent(event);
    is_stale_ = true;
    return absl::OkStatus();
  }
  if (ExitCodeOf(played.status()) == kExitUnavailable) return played.status();
  Refuse(played.status());
  if (ReasonWordOf(played.status()) == "STALE_SEQUENCE") is_stale_ = true;
  return absl::OkStatus();
}

absl::Status PlaySession::Resign() {
  if (context_.terminal().in_is_tty) {
    context_.out() << "Give the game up? [y/N] " << std::flush;
    if (!lines_.Wait() || (lines_.Front() != "y" && lines_.Front() != "yes")) {
      if (lines_.HasLine()) lines_.Take();
      Prompt();
      return absl::OkStatus();
    }
    lines_.Take();
  }
  v1::ResignGameRequest request;
  request.set_game_id(game_id_);
  const auto resigned = client_.Call(request);
  if (!resigned.ok()) {
    if (ExitCodeOf(resigned.status()) == kExitUnavailable) return resigned.status();
    Refuse(resigned.status());
    return absl::OkStatus();
  }
  return Refresh();
}

void PlaySession::Refuse(const absl::Status& status) {
  context_.out() << "Refused: " << Explain(status) << "\n" << std::flush;
  if (!context_.terminal().in_is_tty && first_refusal_.ok()) first_refusal_ = status;
  Prompt();
}

void PlaySession::ShowHelp() {
  std::ostream& out = context_.out();
  out << kHelp;
  v1::GetRulesetRequest request;
  request.set_ruleset_id(game_.ruleset_id());
  request.set_rules_version(game_.rules_version());
  const auto ruleset = client_.Call(request);
  if (ruleset.ok()) {
    out << "How actions are written:\n"
        << WrapText(ruleset->ruleset().notation(), context_.terminal().width, 2);
  }
  if (IsMyTurn()) out << ActionsText(legal_, context_.terminal());
  out << std::flush;
}

}  // namespace astragal::cli
