#include "plugins/conformance/obligations.h"

#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace astragal::conformance {
namespace {

constexpr Obligation kObligations[] = {
    {Duty::kLoads, "loads", "The host takes the library: entry, table, limits, description.",
     "the host's own loading, in a child process"},
    {Duty::kImports, "imports",
     "Nothing is imported that reads clock, randomness, environment, locale, files or network, or "
     "starts threads or processes, or writes output.",
     "the undefined symbols of the file against a list"},
    {Duty::kExports, "exports", "The entry is the only symbol exported.",
     "the dynamic symbols of the file"},
    {Duty::kGlobals, "globals", "Nothing but the caller's memory is changed.",
     "the library's writable memory before and after all games, a first game of each preset aside"},
    {Duty::kQuiet, "quiet",
     "Nothing is written to standard output or error; no thread or process "
     "is left running.",
     "the child process that plays is watched"},
    {Duty::kRepeatable, "repeatable", "The same question gets the same answer.",
     "every question twice on equal bytes in different places"},
    {Duty::kOtherProcess, "other_process",
     "The answers are the same in another process, locale, time zone and folder.",
     "a digest of all answers of some games, from two processes"},
    {Duty::kThreads, "threads", "Threads that read one position at once get the same answers.",
     "two threads ask while a third has the answers"},
    {Duty::kStart, "start",
     "Every preset starts, its options are kept and no byte is left to chance; values that do not "
     "fit together are refused, not failed.",
     "every preset; every option at its edges and all choices; prefilled memory"},
    {Duty::kCheckReached, "check_reached", "check accepts every position that play reaches.",
     "every position of every game"},
    {Duty::kAnyBytes, "any_bytes",
     "Any bytes may come into check; whatever it accepts can be shown and played.",
     "random bytes and damaged positions; accepted ones are asked everything and played on"},
    {Duty::kHead, "head",
     "actor, seats, options and chances agree; seats and options stay the same in a game.",
     "every position"},
    {Duty::kActionsListed, "actions_listed",
     "Listed actions are non-negative, ascending, distinct and within the declared limit.",
     "every position"},
    {Duty::kActionsApply, "actions_apply", "Every listed action can be applied.",
     "every listed action of sampled positions"},
    {Duty::kThrowsApply, "throws_apply", "Every outcome of the throw kind named can be applied.",
     "every outcome in sampled positions"},
    {Duty::kOthersRefused, "others_refused",
     "Everything else is refused and the position keeps its bytes.",
     "neighbours of listed actions, actions of earlier positions, random numbers, other actors, "
     "other throws"},
    {Duty::kRefusalWords, "refusal_words", "A refusal says why: a sentence in UTF-8, ended by NUL.",
     "every refusal provoked"},
    {Duty::kNotation, "notation",
     "format and parse agree for every action and throw; different actions are written "
     "differently.",
     "every listed action and outcome of sampled positions"},
    {Duty::kAnyNotation, "any_notation", "parse survives any text; what it accepts it also writes.",
     "damaged and random texts"},
    {Duty::kPositionText, "position_text",
     "A position's text gives back the same bytes, options included.", "sampled positions"},
    {Duty::kAnyPositionText, "any_position_text",
     "parse_position survives any text; what it accepts is a position.",
     "damaged and random texts"},
    {Duty::kEffectsForm, "effects_form", "Effects are well formed and within the declared limit.",
     "every listed action and outcome of sampled positions"},
    {Duty::kEffectsAgree, "effects_agree",
     "Effects say what changed: pieces moved, coins paid and taken, places won, who is next.",
     "pieces, counters, result and actor before and after"},
    {Duty::kPieces, "pieces", "Pieces are ordered, well formed and stand on places that exist.",
     "every position"},
    {Duty::kPiecesConserved, "pieces_conserved",
     "The number of each seat's pieces of each kind stays the same, trays included.",
     "every position"},
    {Duty::kCoinsConserved, "coins_conserved", "The counters `coins` and `pot` add up to the same.",
     "every position that has them"},
    {Duty::kPlaces, "places",
     "Places are distinct, do not cover each other's centre, and stay the same in a game.",
     "sampled positions"},
    {Duty::kShown, "shown",
     "Throws, counters and board text are well formed; board text ends its lines.",
     "sampled positions"},
    {Duty::kResult, "result",
     "No places before the end but of seats that finished; at the end ranks with ties only where "
     "declared, and no better place with fewer points.",
     "every position"},
    {Duty::kConcession, "concession",
     "A seat to act, or with pieces on the board, may concede from `fewest` to `most` points; "
     "after "
     "the end that is refused.",
     "sampled positions and every end"},
    {Duty::kLeave, "leave",
     "A seat that left never acts again and the game still ends; rulesets that do not declare it "
     "refuse.",
     "sampled positions, played to the end"},
    {Duty::kMirror, "mirror",
     "If claimed: mirroring twice is nothing, and mirroring commutes with play.",
     "sampled positions with all actions and outcomes"},
    {Duty::kEvaluate, "evaluate", "An estimate lies within 0 and 1000.", "sampled positions"},
    {Duty::kLiveness, "liveness", "Until the game is over somebody can act.", "every position"},
    {Duty::kTermination, "termination", "A game ends within max_game_actions.", "every game"},
    {Duty::kWritesInside, "writes_inside",
     "Nothing is written beyond the capacity or into what is only read; the full count is "
     "returned for any capacity; struct_size is set.",
     "guard bytes around every buffer, with capacities from 0 to the full count"},
};
static_assert(std::size(kObligations) == kDutyCount);

}  // namespace

absl::Span<const Obligation> Obligations() { return kObligations; }

const Obligation& ObligationOf(Duty duty) { return kObligations[static_cast<int>(duty) - 1]; }

Duty DutyFromWord(absl::string_view word) {
  for (const Obligation& obligation : kObligations) {
    if (obligation.word == word) return obligation.duty;
  }
  return Duty::kNone;
}

std::string ObligationTable() {
  std::string table =
      "| Number | Word | Obligation | How it is checked |\n| --- | --- | --- | --- |\n";
  for (const Obligation& obligation : kObligations) {
    absl::StrAppend(&table, "| ", static_cast<int>(obligation.duty), " | `", obligation.word,
                    "` | ", obligation.text, " | ", obligation.how, " |\n");
  }
  return table;
}

}  // namespace astragal::conformance
