#include "services/cli/tournament_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "services/cli/text.h"

namespace astragal::cli {
namespace {

template <typename Value>
using Word = std::pair<std::string_view, Value>;

constexpr std::array kFormats = {
    Word<v1::TournamentFormat>{"swiss", v1::TOURNAMENT_FORMAT_SWISS},
    Word<v1::TournamentFormat>{"to-losses", v1::TOURNAMENT_FORMAT_SWISS_TO_LOSSES},
    Word<v1::TournamentFormat>{"round-robin", v1::TOURNAMENT_FORMAT_ROUND_ROBIN},
    Word<v1::TournamentFormat>{"single", v1::TOURNAMENT_FORMAT_SINGLE_ELIMINATION},
    Word<v1::TournamentFormat>{"double", v1::TOURNAMENT_FORMAT_DOUBLE_ELIMINATION},
    Word<v1::TournamentFormat>{"tables", v1::TOURNAMENT_FORMAT_TABLES},
    Word<v1::TournamentFormat>{"arena", v1::TOURNAMENT_FORMAT_ARENA},
    Word<v1::TournamentFormat>{"ladder", v1::TOURNAMENT_FORMAT_LADDER},
};
constexpr std::array kStatuses = {
    Word<v1::TournamentStatus>{"draft", v1::TOURNAMENT_STATUS_DRAFT},
    Word<v1::TournamentStatus>{"registration", v1::TOURNAMENT_STATUS_REGISTRATION},
    Word<v1::TournamentStatus>{"check-in", v1::TOURNAMENT_STATUS_CHECK_IN},
    Word<v1::TournamentStatus>{"running", v1::TOURNAMENT_STATUS_RUNNING},
    Word<v1::TournamentStatus>{"paused", v1::TOURNAMENT_STATUS_PAUSED},
    Word<v1::TournamentStatus>{"finished", v1::TOURNAMENT_STATUS_FINISHED},
    Word<v1::TournamentStatus>{"cancelled", v1::TOURNAMENT_STATUS_CANCELLED},
};
constexpr std::array kResults = {
    Word<v1::PairingResult>{"win", v1::PAIRING_RESULT_WIN},
    Word<v1::PairingResult>{"draw", v1::PAIRING_RESULT_DRAW},
    Word<v1::PairingResult>{"loss", v1::PAIRING_RESULT_LOSS},
    Word<v1::PairingResult>{"forfeit-win", v1::PAIRING_RESULT_FORFEIT_WIN},
    Word<v1::PairingResult>{"forfeit-loss", v1::PAIRING_RESULT_FORFEIT_LOSS},
    Word<v1::PairingResult>{"half", v1::PAIRING_RESULT_HALF_BYE},
    Word<v1::PairingResult>{"full", v1::PAIRING_RESULT_FULL_BYE},
    Word<v1::PairingResult>{"zero", v1::PAIRING_RESULT_ZERO_BYE},
    Word<v1::PairingResult>{"bye", v1::PAIRING_RESULT_PAIRING_BYE},
};

template <typename Table>
std::vector<std::string> WordsOf(const Table& table) {
  std::vector<std::string> words;
  for (const auto& [word, value] : table) words.emplace_back(word);
  return words;
}

// The value of this word; its zero for a word that is none.
template <typename Table>
auto ValueOf(const Table& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, [](const auto& each) { return each.first; });
  return found == table.end() ? decltype(found->second){} : found->second;
}

template <typename Table, typename Value>
std::string WordOf(const Table& table, Value value) {
  const auto found = std::ranges::find(table, value, [](const auto& each) { return each.second; });
  return found == table.end() ? "unknown" : std::string(found->first);
}

// What is written beside a player in a round: a point for a win, "+" and "-" for forfeits.
std::string MarkOf(v1::PairingResult result) {
  switch (result) {
    case v1::PAIRING_RESULT_WIN:
      return "1";
    case v1::PAIRING_RESULT_DRAW:
      return "=";
    case v1::PAIRING_RESULT_LOSS:
      return "0";
    case v1::PAIRING_RESULT_FORFEIT_WIN:
      return "+";
    case v1::PAIRING_RESULT_FORFEIT_LOSS:
      return "-";
    case v1::PAIRING_RESULT_UNSPECIFIED:
      return "";
    default:
      return WordOf(kResults, result);
  }
}

// At a table the place; otherwise what it was worth.
std::string MarkOf(const v1::PairingSide& side) {
  return side.place() > 0 ? "#" + std::to_string(side.place()) : MarkOf(side.result());
}

std::string SideText(const v1::PairingSide& side) {
  return side.player_name() + " (" + std::to_string(side.number()) + ")";
}

std::string NotesOf(const v1::Pairing& pairing) {
  std::vector<std::string> notes;
  if (pairing.manual()) notes.emplace_back("by hand");
  if (pairing.locked()) notes.emplace_back("locked");
  if (pairing.overridden()) notes.emplace_back("decided by a director");
  if (pairing.replays() > 0) notes.push_back("replay " + std::to_string(pairing.replays()));
  return Join(notes, ", ");
}

std::string StageText(const v1::Round& round) {
  switch (round.stage()) {
    case v1::ROUND_STAGE_DRAFTED:
      return "drafted";
    case v1::ROUND_STAGE_PLAYING:
      return std::to_string(round.open()) + " of " + std::to_string(round.pairings()) + " open";
    case v1::ROUND_STAGE_CLOSED:
      return round.open() == 0 ? "over" : "closed, " + std::to_string(round.open()) + " missing";
    default:
      return "unknown";
  }
}

}  // namespace

std::vector<std::string> FormatWords() { return WordsOf(kFormats); }
v1::TournamentFormat FormatFromWord(std::string_view word) { return ValueOf(kFormats, word); }
std::string FormatWord(v1::TournamentFormat format) { return WordOf(kFormats, format); }
std::string StatusWord(v1::TournamentStatus status) { return WordOf(kStatuses, status); }
std::vector<std::string> StatusWords() { return WordsOf(kStatuses); }
v1::TournamentStatus TournamentStatusFromWord(std::string_view word) {
  return ValueOf(kStatuses, word);
}
std::vector<std::string> ResultWords() { return WordsOf(kResults); }
v1::PairingResult ResultFromWord(std::string_view word) { return ValueOf(kResults, word); }
std::string ResultWord(v1::PairingResult result) { return WordOf(kResults, result); }

std::string TenthsText(int tenths) {
  std::string text = tenths < 0 ? "-" : "";
  text += std::to_string(std::abs(tenths) / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(std::abs(tenths) % 10);
  return text;
}

std::string TournamentText(const v1::Tournament& tournament) {
  std::string text = tournament.terms().name() + ": " + FormatWord(tournament.terms().format()) +
                     " of " + tournament.terms().play().ruleset_id() + ", " +
                     StatusWord(tournament.status()) + ", " + std::to_string(tournament.players()) +
                     (tournament.players() == 1 ? " player" : " players");
  if (tournament.rounds_published() > 0) {
    text += ", round " + std::to_string(tournament.rounds_published());
    if (tournament.rounds_planned() > 0) {
      text += " of " + std::to_string(tournament.rounds_planned());
    }
  }
  return text + ", version " + std::to_string(tournament.version());
}

std::string NextStageText(const v1::Tournament& tournament) {
  const v1::NextStage& next = tournament.terms().next_stage();
  std::string text =
      "Then " + FormatWord(next.format()) + " of the first " + std::to_string(next.qualify());
  if (next.break_seconds() > 0) {
    text += ", after " + std::to_string(next.break_seconds()) + " s";
  }
  const std::string& id = tournament.next_tournament_id();
  return text + (id.empty() ? "" : ": " + id);
}

std::string PairingsText(const google::protobuf::RepeatedPtrField<v1::Pairing>& pairings) {
  size_t most = 2;
  for (const v1::Pairing& pairing : pairings) {
    most = std::max(most, static_cast<size_t>(pairing.sides_size()));
  }
  std::vector<std::vector<std::string>> rows = {{"BOARD"}};
  rows[0].resize(1 + 2 * most);
  rows[0].insert(rows[0].end(), {"MATCH", ""});
  for (const v1::Pairing& pairing : pairings) {
    std::vector<std::string> row = {std::to_string(pairing.board())};
    for (const v1::PairingSide& side : pairing.sides()) {
      row.push_back(MarkOf(side));
      row.push_back(SideText(side));
    }
    row.resize(1 + 2 * most);
    row.push_back(pairing.match_id());
    row.push_back(NotesOf(pairing));
    rows.push_back(std::move(row));
  }
  return TableText(rows);
}

std::string RoundText(const v1::Round& round,
                      const google::protobuf::RepeatedPtrField<v1::Pairing>& pairings) {
  return "Round " + std::to_string(round.number()) + ", " + StageText(round) + "\n" +
         PairingsText(pairings);
}

std::string StandingsText(const v1::ListStandingsResponse& standings) {
  std::vector<std::string> heading = {"RANK", "NO", "NAME"};
  heading.insert(heading.end(), standings.tie_breaks().begin(), standings.tie_breaks().end());
  std::vector<std::vector<std::string>> rows = {std::move(heading)};
  for (const v1::StandingsRow& row : standings.rows()) {
    std::vector<std::string> cells = {row.rank() == 0 ? "-" : std::to_string(row.rank()),
                                      std::to_string(row.number()), row.player_name()};
    cells.insert(cells.end(), row.values().begin(), row.values().end());
    rows.push_back(std::move(cells));
  }
  return TableText(rows);
}

std::string TournamentEventText(const v1::TournamentEvent& event) {
  std::string text =
      std::to_string(event.version()) + "  " + TimeText(event.time()) + "  " + event.kind();
  if (event.round() > 0) text += " round " + std::to_string(event.round());
  if (event.board() > 0) text += " board " + std::to_string(event.board());
  if (!event.player_id().empty()) text += " player " + event.player_id();
  if (!event.by_player_id().empty()) text += ", by " + event.by_player_id();
  if (!event.reason().empty()) text += ": " + event.reason();
  return text;
}

}  // namespace astragal::cli
