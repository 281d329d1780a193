#include "services/cli/errors.h"

#include <array>

#include "services/base/status.h"
#include "services/cli/call_status.h"

namespace astragal::cli {
namespace {

struct Advice {
  std::string_view word;
  std::string_view what_to_do;
};

constexpr std::array kAdvice = {
    Advice{"BAD_NOTATION", "`astragal rulesets RULESET` shows how actions are written."},
    Advice{"BAD_OPTION", "`astragal rulesets RULESET` lists the options and presets."},
    Advice{"NOT_SEATED",
           "Join first (`astragal join GAME`), or choose the player who did "
           "(`--player NAME`)."},
    Advice{"TOKEN_MISSING", "Create a player first: `astragal player new NAME`."},
    Advice{"TOKEN_INVALID",
           "The server does not know this key; was its data deleted? Create another player: "
           "`astragal player new NAME`, or name the server's own file with --operator-key."},
    Advice{"TOKEN_EXPIRED", "Create another player, or use another key."},
    Advice{"SCOPE_MISSING", "This key may not do that; `astragal admin` needs an operator's key."},
    Advice{"NOT_FOUND", "`astragal games`, `tournament list` and `rulesets` list what there is."},
    Advice{"ALREADY_EXISTS", "Choose another name, or `astragal player use NAME` if it is yours."},
    Advice{"ILLEGAL_ACTION", "`astragal play GAME` shows what can be played."},
    Advice{"NOT_YOUR_TURN", "`astragal watch GAME` shows when it is."},
    Advice{"STALE_SEQUENCE", "The game moved on meanwhile; look again and repeat."},
    Advice{"STALE_VERSION", "It was changed meanwhile; look again and repeat."},
    Advice{"SEQUENCE_UNKNOWN", "`astragal events GAME` shows how far the game got."},
    Advice{"MATCH_OVER", "`astragal match show MATCH` shows how it went."},
    Advice{"GAME_STILL_RUNNING",
           "`astragal watch GAME` follows it; the next game of a match starts by itself then."},
    Advice{"LOG_ARCHIVED",
           "The operator has its log in a file: `astragal import FILE` brings it back."},
    Advice{"GAME_OVER", "`astragal replay GAME` shows how it went."},
    Advice{"GAME_NOT_RUNNING", "Seats are free: the others type `astragal join GAME`."},
    Advice{"GAME_FULL",
           "`astragal watch GAME` follows it; `astragal games --status open` lists "
           "games with free seats."},
    Advice{"ALREADY_SEATED", "Go on with `astragal play GAME`."},
    Advice{"COMPLETION_TOO_LOW", "Games that are played to their end raise it."},
    Advice{"PROPOSAL_CLOSED", "`astragal lobby` lists who waits."},
    Advice{"WARNINGS_NOT_ACCEPTED",
           "If that is meant: repeat with --accept and these codes; --dry-run shows what it does."},
    Advice{"TOURNAMENT_STATE", "`astragal tournament show TOURNAMENT` shows where it is."},
    Advice{"NO_PAIRING", "Pair boards by hand, give byes, or finish the tournament."},
    Advice{"PLEDGES_OPEN",
           "Wait two seconds and repeat; `astragal contribute GAME` does so itself."},
    Advice{"CONTRIBUTIONS_CLOSED", "Too late for this game; its dice are fixed without it."},
    Advice{"RULESET_VERSION_UNAVAILABLE",
           "The server lacks the plugin of this rules version; its operator can add it."},
    Advice{"RATE_LIMITED", "Wait a moment and repeat."},
    Advice{"MAILBOX_FULL", "Wait a moment and repeat."},
    Advice{"WATCHER_TOO_SLOW", "Repeat; the stream goes on where it ended."},
    Advice{"STORE_UNAVAILABLE", "The server's database is away; it is tried again by itself."},
    Advice{"DRAINING", "The server is about to stop; repeat in a while."},
    Advice{"DEADLINE_TOO_SHORT", "Give it more time: --timeout SECONDS."},
};

// Shown beside the message: values that the advice needs. Others are for programs.
constexpr std::array<std::string_view, 9> kShownDetails = {
    "field", "current_sequence", "current_version", "warnings", "seats_to_act", "legal_actions",
    "limit", "incident_id",      "archive"};

std::string_view AdviceFor(const absl::Status& status, std::string_view word) {
  for (const Advice& advice : kAdvice) {
    if (advice.word == word) return advice.what_to_do;
  }
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
      return "Is astragald running there? `deploy/run` starts it; --server HOST:PORT names "
             "another.";
    case absl::StatusCode::kDeadlineExceeded:
      return "The server did not answer in time; --timeout SECONDS gives it more.";
    case absl::StatusCode::kUnimplemented:
      return "The server is older than this program.";
    default:
      return {};
  }
}

std::string CodeWord(const absl::Status& status) { return absl::StatusCodeToString(status.code()); }

bool IsUsage(const absl::Status& status) {
  return status.code() == absl::StatusCode::kInvalidArgument && ReasonWordOf(status).empty();
}

}  // namespace

ExitCode ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return kExitOk;
  if (IsUsage(status)) return kExitUsage;
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return kExitUnavailable;
    default:
      return kExitRefused;
  }
}

absl::Status UsageError(std::string_view message) {
  return absl::InvalidArgumentError(absl::string_view(message.data(), message.size()));
}

std::string Explain(const absl::Status& status) {
  std::string text;
  std::string word = ReasonWordOf(status);
  // A failure of the wire itself has no reason word; one of this program needs none.
  const bool from_wire = status.code() == absl::StatusCode::kUnavailable ||
                         status.code() == absl::StatusCode::kDeadlineExceeded ||
                         status.code() == absl::StatusCode::kUnimplemented;
  if (word.empty() && from_wire) word = CodeWord(status);
  if (!word.empty()) text += word + ": ";
  text += std::string(status.message());
  const auto details = base::DetailsOf(status);
  for (const std::string_view key : kShownDetails) {
    const auto found = details.find(std::string(key));
    if (found == details.end() || found->second.empty()) continue;
    text += "\n  " + found->first + ": " + found->second;
  }
  const std::string_view advice = AdviceFor(status, word);
  if (!advice.empty()) text += "\n  " + std::string(advice);
  if (IsUsage(status)) text += "\n  --help shows how the command is used.";
  return text;
}

}  // namespace astragal::cli
