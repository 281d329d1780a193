#include "services/algorithms/pairing/trf.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/algorithms/pairing/trf_parser.h"
#include "services/algorithms/pairing/trf_text.h"
#include "services/base/status.h"

namespace astragal::algorithms {
namespace trf {

const Parser::Handler Parser::kHandlers[] = {
    {"001", &Parser::Player},        {"142", &Parser::Planned},
    {"XXR", &Parser::Planned},       {"152", &Parser::FirstSide},
    {"XXC", &Parser::Configuration}, {"162", &Parser::Points},
    {"192", &Parser::System},        {"240", &Parser::Byes},
    {"250", &Parser::Lent},          {"XXA", &Parser::LentToPlayer},
    {"260", &Parser::Forbidden},     {"XXP", &Parser::ForbiddenForEver},
    {"BBW", &Parser::OnePoint},      {"BBD", &Parser::OnePoint},
    {"BBL", &Parser::OnePoint},      {"BBZ", &Parser::OnePoint},
    {"BBF", &Parser::OnePoint},      {"BBU", &Parser::OnePoint},
    {"299", &Parser::Refused},
};

absl::StatusOr<TrfFile> Parser::Parse(std::string_view text) {
  if (absl::StartsWith({text.data(), text.size()}, "\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    ++line_;
    if (absl::Status read = Line(text.substr(0, end)); !read.ok()) return read;
    size_t skip = end;
    if (skip < text.size()) skip += text.substr(skip, 2) == "\r\n" ? 2 : 1;
    text.remove_prefix(skip);
  }
  if (absl::Status finished = Finish(); !finished.ok()) return finished;
  return std::move(file_);
}

absl::Status Parser::Line(std::string_view text) {
  const std::optional<Columns> line = Columns::Of(text);
  if (!line.has_value()) return Line(FromLatin1(text));  // as programs of old write
  const std::string_view code = line->At(0, 3);
  for (const Handler& handler : kHandlers) {
    if (handler.code == code) return (this->*handler.read)(*line);
  }
  if (Trim(text).empty()) return absl::OkStatus();
  (players_.empty() ? file_.before : file_.after).emplace_back(text);
  return absl::OkStatus();
}

// ---- Players.

namespace {

// Points have a decimal in column 84, so they tell what a line counts as a column.
bool PointsEndThere(const Columns& line) {
  const std::string_view decimal = line.At(83, 1);
  return line.At(82, 1) == "." && !decimal.empty() && absl::ascii_isdigit(decimal.front());
}

}  // namespace

absl::Status Parser::Player(const Columns& characters) {
  const Columns bytes = Columns::OfBytes(characters.From(0));
  const Columns& line = !PointsEndThere(characters) && PointsEndThere(bytes) ? bytes : characters;
  PlayerLine read;
  read.line = line_;
  const std::optional<int> number = ParseNumber(line.At(4, 4));
  if (!number.has_value() || *number == 0) return Bad("columns 5 to 8 hold no pairing number");
  read.player.number = *number;
  const std::string_view rating = Trim(line.At(48, 4));
  if (!rating.empty()) {
    const std::optional<int> value = ParseNumber(rating);
    if (!value.has_value()) return Bad("columns 49 to 52 hold no rating");
    read.player.rating = *value;
  }
  const std::optional<Tenths> points = ParsePoints(line.At(80, 4));
  if (!points.has_value()) return Bad("columns 81 to 84 hold no points");
  read.points = *points;
  read.player.name = Trim(WithoutBrokenEnd(line.At(14, 33)));
  read.details = {std::string(Trim(line.At(9, 1))), std::string(Trim(line.At(10, 3))),
                  std::string(Trim(line.At(53, 3))), std::string(Trim(line.At(57, 11))),
                  std::string(Trim(line.At(69, 10)))};
  if (absl::Status rounds = Rounds(line, read); !rounds.ok()) return rounds;
  players_.push_back(std::move(read));
  return absl::OkStatus();
}

absl::Status Parser::Rounds(const Columns& line, PlayerLine& read) {
  size_t last = 0;  // rounds behind this one are blank
  for (int at = 91; at < line.width(); at += 10) {
    RoundEntry entry;
    bool blank = true;
    if (absl::Status round = Round(line, at, entry, blank); !round.ok()) return round;
    if (entry.opponent == read.player.number) return Bad("a player against themselves");
    read.player.rounds.push_back(entry);
    if (!blank) last = read.player.rounds.size();
  }
  read.player.rounds.resize(last);
  return absl::OkStatus();
}

absl::Status Parser::Round(const Columns& line, int at, RoundEntry& entry, bool& blank) {
  const std::string where = absl::StrCat("round ", (at - 91) / 10 + 1, ": ");
  const std::string opponent(Trim(line.At(at, 4)));
  const std::string_view side_text = line.At(at + 5, 1);
  const std::string_view result = line.At(at + 7, 1);
  blank = opponent.empty() && Trim(side_text).empty() && Trim(result).empty();
  if (!opponent.empty() && opponent != "0000") {
    const std::optional<int> number = ParseNumber(opponent);
    if (!number.has_value()) return Bad(where + "no opponent's number");
    if (*number > 0) entry.opponent = *number;
  }
  const char side = side_text.empty() ? ' ' : side_text.front();
  if (side == 'w' || side == 'W') {
    entry.side = Side::kFirst;
  } else if (side == 'b' || side == 'B') {
    entry.side = Side::kSecond;
  } else if (side != '-' && side != ' ') {
    return Bad(where + "the side is w, b or -");
  }
  char letter = result.empty() ? ' ' : result.front();
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  for (const ResultLetter& known : kResultLetters) {
    if (known.letter != letter) continue;
    entry.outcome = known.outcome;
    if (entry.opponent == kNobody && entry.side != Side::kNone) {
      return Bad(where + "a side without an opponent");
    }
    if (entry.opponent == kNobody && entry.Played()) {
      return Bad(where + "a result without an opponent");
    }
    const bool may_have_opponent = entry.Played() || letter == '+' || letter == '-';
    if (entry.opponent != kNobody && !may_have_opponent) {
      return Bad(where + "an opponent and the result of a bye");
    }
    return absl::OkStatus();
  }
  return Bad(absl::StrCat(where, "unknown result '", std::string(result), "'"));
}

// ---- The whole, once all lines are read.

int Parser::IndexOf(int number) const {
  const auto found = index_of_.find(number);
  return found == index_of_.end() ? kNobody : found->second;
}

// The last round in which anybody was paired, and all before the last column.
void Parser::CountRounds() {
  size_t paired = 0;
  size_t widest = 0;
  for (const PlayerLine& read : players_) {
    const std::vector<RoundEntry>& rounds = read.player.rounds;
    widest = std::max(widest, rounds.size());
    for (size_t i = 0; i < rounds.size(); ++i) {
      if (rounds[i].Paired() || rounds[i].outcome == Outcome::kForfeitWin) {
        paired = std::max(paired, i + 1);
      }
    }
  }
  if (widest > 0) paired = std::max(paired, widest - 1);
  const bool everybody = std::all_of(players_.begin(), players_.end(), [&](const PlayerLine& read) {
    return read.player.rounds.size() > paired;
  });
  if (everybody && !players_.empty()) ++paired;
  file_.table.rounds_played = static_cast<int>(paired);
}

absl::Status Parser::Connect() {
  if (!by_line_order_) {
    std::stable_sort(
        players_.begin(), players_.end(),
        [](const PlayerLine& a, const PlayerLine& b) { return a.player.number < b.player.number; });
  }
  for (size_t i = 0; i < players_.size(); ++i) {
    if (!index_of_.emplace(players_[i].player.number, static_cast<int>(i)).second) {
      return BadIn(players_[i].line,
                   absl::StrCat("number ", players_[i].player.number, " is there twice"));
    }
  }
  for (PlayerLine& read : players_) {
    for (RoundEntry& entry : read.player.rounds) {
      if (entry.opponent == kNobody) continue;
      const int index = IndexOf(entry.opponent);
      if (index == kNobody) {
        return BadIn(read.line, absl::StrCat("opponent ", entry.opponent, " has no line"));
      }
      entry.opponent = index;
    }
  }
  return absl::OkStatus();
}

absl::Status Parser::ApplyByes() {
  Crosstable& table = file_.table;
  for (const ByeLine& bye : byes_) {
    for (const int number : bye.numbers) {
      const int index = IndexOf(number);
      if (index == kNobody) return BadIn(bye.line, absl::StrCat("no player ", number));
      std::vector<RoundEntry>& rounds = table.players[index].rounds;
      // Byes of rounds that are over stand in the player's own line.
      if (bye.round != table.rounds_played + 1) continue;
      if (static_cast<int>(rounds.size()) > table.rounds_played) continue;
      rounds.resize(bye.round);
      rounds.back().outcome = bye.outcome;
    }
  }
  return absl::OkStatus();
}

absl::Status Parser::ApplyLent() {
  for (const LentLine& lent : lent_) {
    for (Entrant& player : file_.table.players) {
      if (player.number < lent.first_number || player.number > lent.last_number) continue;
      if (static_cast<int>(player.lent.size()) < lent.last_round) {
        player.lent.resize(lent.last_round);
      }
      for (int round = lent.first_round; round <= lent.last_round; ++round) {
        player.lent[round - 1] = lent.points;
      }
    }
  }
  if (lent_.empty() && absl::EndsWith(file_.system, "_BAKU")) LendBaku(file_.table);
  return absl::OkStatus();
}

absl::Status Parser::ApplyForbidden() {
  const int last_round = std::max(file_.table.rounds_planned, file_.table.rounds_played + 1);
  for (GroupLine& read : groups_) {
    for (int& player : read.group.players) {
      const int index = IndexOf(player);
      if (index == kNobody) return BadIn(read.line, absl::StrCat("no player ", player));
      player = index;
    }
    if (read.group.last_round == 0) read.group.last_round = last_round;
    file_.table.forbidden.push_back(std::move(read.group));
  }
  return absl::OkStatus();
}

// Some programs count the bye of the coming round or the lent points in.
absl::Status Parser::CheckPoints() {
  const Crosstable& table = file_.table;
  for (size_t i = 0; i < players_.size(); ++i) {
    const Entrant& player = table.players[i];
    const Tenths played = ScoreBefore(table, static_cast<int>(i), table.rounds_played);
    const Tenths coming = AbsentFromNext(table, static_cast<int>(i))
                              ? PointsOf(table.points, EntryOf(player, table.rounds_played).outcome)
                              : 0;
    const Tenths lent = LentIn(player, table.rounds_played);
    const Tenths given = players_[i].points;
    if (given == played || given == played + coming || given == played + lent ||
        given == played + coming + lent) {
      continue;
    }
    return BadIn(players_[i].line, absl::StrCat("the points are ", FormatPoints(given),
                                                ", the results give ", FormatPoints(played)));
  }
  return absl::OkStatus();
}

absl::Status Parser::Finish() {
  if (absl::Status connected = Connect(); !connected.ok()) return connected;
  CountRounds();
  Crosstable& table = file_.table;
  for (PlayerLine& read : players_) {
    table.players.push_back(read.player);
    file_.details.push_back(std::move(read.details));
    std::vector<RoundEntry>& rounds = table.players.back().rounds;
    if (static_cast<int>(rounds.size()) < table.rounds_played) rounds.resize(table.rounds_played);
  }
  if (table.rounds_planned > 0 && table.rounds_played > table.rounds_planned) {
    return base::Error(base::Reason::kBadField,
                       absl::StrCat("There are results of ", table.rounds_played, " rounds and ",
                                    table.rounds_planned, " are planned."));
  }
  for (const auto step : {&Parser::ApplyByes, &Parser::ApplyLent, &Parser::ApplyForbidden}) {
    if (absl::Status applied = (this->*step)(); !applied.ok()) return applied;
  }
  if (absl::Status checked = CheckCrosstable(table); !checked.ok()) return checked;
  return CheckPoints();
}

}  // namespace trf

absl::StatusOr<TrfFile> ParseTrf(std::string_view text) { return trf::Parser().Parse(text); }

bool IsRoundRobin(const TrfFile& file) {
  std::string system = file.system;
  for (const std::vector<std::string>* lines : {&file.before, &file.after}) {
    for (const std::string& line : *lines) {
      if (system.empty() && absl::StartsWith(line, "092")) system = line.substr(3);
    }
  }
  absl::AsciiStrToUpper(&system);
  for (const char* word : {"ROBIN", "BERGER"}) {
    if (absl::StrContains(system, word)) return true;
  }
  for (const char* word : {"SWISS", "DUTCH", "DUBOV", "BURSTEIN", "LIM"}) {
    if (absl::StrContains(system, word)) return false;
  }
  const int players = static_cast<int>(file.table.players.size());
  const int once = players % 2 == 0 ? players - 1 : players;
  const int rounds = std::max(file.table.rounds_planned, file.table.rounds_played);
  return players > 2 && (rounds == once || rounds == 2 * once);
}

void LendBaku(Crosstable& table) {
  const int players = static_cast<int>(table.players.size());
  const int helped = (players + 3) / 4 * 2;
  const int accelerated = (table.rounds_planned + 1) / 2;
  const int full = (accelerated + 1) / 2;
  for (int i = 0; i < std::min(helped, players); ++i) {
    std::vector<Tenths>& lent = table.players[i].lent;
    lent.clear();
    for (int round = 0; round < accelerated && round <= table.rounds_played; ++round) {
      lent.push_back(round < full ? table.points.win : table.points.draw);
    }
  }
}

}  // namespace astragal::algorithms
