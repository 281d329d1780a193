#include <optional>
#include <utility>

#include "services/algorithms/pairing/trf_parser.h"

namespace astragal::algorithms::trf {

absl::Status Parser::Planned(const Columns& line) {
  const std::optional<int> rounds = ParseNumber(line.From(3));
  if (!rounds.has_value() || *rounds == 0) return Bad("no number of rounds");
  file_.table.rounds_planned = *rounds;
  return absl::OkStatus();
}

absl::Status Parser::FirstSide(const Columns& line) {
  const std::string_view side = Trim(line.From(3));
  if (side != "W" && side != "B") return Bad("the first side is W or B");
  file_.table.first_side = side == "W" ? Side::kFirst : Side::kSecond;
  return absl::OkStatus();
}

absl::Status Parser::Configuration(const Columns& line) {
  for (const std::string_view word : Words(line.From(3))) {
    if (word == "rank") by_line_order_ = true;
    if (word == "white1") file_.table.first_side = Side::kFirst;
    if (word == "black1") file_.table.first_side = Side::kSecond;
  }
  return absl::OkStatus();
}

absl::Status Parser::Points(const Columns& line) {
  PointSystem& points = file_.table.points;
  for (int at = 5; at < line.width(); at += 9) {
    const std::string_view letter = Trim(line.At(at, 1));
    if (letter.empty()) continue;
    const std::optional<Tenths> value = ParsePoints(line.At(at + 1, 4));
    if (!value.has_value()) return Bad(absl::StrCat("no points behind ", std::string(letter)));
    switch (letter.front()) {
      case 'W':
        points.win = *value;
        if (!pairing_bye_given_) points.pairing_bye = *value;
        break;
      case 'D':
        points.draw = *value;
        break;
      case 'L':
        points.loss = *value;
        break;
      case 'A':  // absent, with or without notice
      case 'Z':
        points.zero_bye = points.forfeit_loss = *value;
        break;
      case 'P':
        points.pairing_bye = *value;
        pairing_bye_given_ = true;
        break;
      default:
        return Bad(absl::StrCat("points of '", std::string(letter), "' are not known here"));
    }
  }
  return absl::OkStatus();
}

absl::Status Parser::OnePoint(const Columns& line) {
  const std::optional<Tenths> value = ParsePoints(line.From(3));
  if (!value.has_value()) return Bad("no points");
  PointSystem& points = file_.table.points;
  switch (line.At(2, 1).front()) {
    case 'W':
      points.win = *value;
      if (!pairing_bye_given_) points.pairing_bye = *value;
      break;
    case 'D':
      points.draw = *value;
      break;
    case 'L':
      points.loss = *value;
      break;
    case 'Z':
      points.zero_bye = *value;
      break;
    case 'F':
      points.forfeit_loss = *value;
      break;
    default:
      points.pairing_bye = *value;
      pairing_bye_given_ = true;
  }
  return absl::OkStatus();
}

absl::Status Parser::System(const Columns& line) {
  file_.system = Trim(line.From(3));
  return absl::OkStatus();
}

absl::Status Parser::Refused(const Columns&) {
  return Bad("points that no rule gives (299) are not supported: give the results themselves");
}

absl::StatusOr<std::vector<int>> Parser::Numbers(const Columns& line, int from) {
  std::vector<int> numbers;
  for (int at = from; at < line.width(); at += 5) {
    if (Trim(line.At(at, 5)).empty()) continue;
    const std::optional<int> number = ParseNumber(line.At(at, 4));
    if (!number.has_value()) {
      return Bad(absl::StrCat("columns ", at + 1, " to ", at + 4, " hold no number"));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

absl::Status Parser::Byes(const Columns& line) {
  ByeLine read;
  read.line = line_;
  const std::string_view letter = line.At(4, 1);
  for (const ResultLetter& known : kResultLetters) {
    if (letter.size() == 1 && known.letter == letter.front()) read.outcome = known.outcome;
  }
  const bool is_bye = read.outcome == Outcome::kHalfBye || read.outcome == Outcome::kFullBye ||
                      (read.outcome == Outcome::kZeroBye && letter == "Z");
  if (!is_bye) return Bad("a bye is H, F or Z");
  const std::optional<int> round = ParseNumber(line.At(6, 3));
  if (!round.has_value() || *round == 0) return Bad("columns 7 to 9 hold no round");
  read.round = *round;
  absl::StatusOr<std::vector<int>> numbers = Numbers(line, 10);
  if (!numbers.ok()) return numbers.status();
  read.numbers = *std::move(numbers);
  byes_.push_back(std::move(read));
  return absl::OkStatus();
}

absl::Status Parser::Lent(const Columns& line) {
  const std::string_view match_points = Trim(line.At(4, 4));
  if (!match_points.empty() && ParsePoints(match_points).value_or(1) != 0) {
    return Bad("match points belong to teams: columns 5 to 8 must be empty");
  }
  const std::optional<Tenths> points = ParsePoints(line.At(9, 4));
  const std::optional<int> first_round = ParseNumber(line.At(14, 3));
  const std::optional<int> last_round = ParseNumber(line.At(18, 3));
  const std::optional<int> first = ParseNumber(line.At(22, 4));
  const std::optional<int> last = ParseNumber(line.At(27, 4));
  if (!points || !first_round || !last_round || !first || !last) {
    return Bad("lent points want points, two rounds and two players in their columns");
  }
  if (*first_round < 1 || *first_round > *last_round || *first < 1 || *first > *last) {
    return Bad("the first round and player come before the last");
  }
  lent_.push_back({line_, *points, *first_round, *last_round, *first, *last});
  return absl::OkStatus();
}

absl::Status Parser::LentToPlayer(const Columns& line) {
  const std::optional<int> number = ParseNumber(line.At(4, 4));
  if (!number.has_value() || *number == 0) return Bad("columns 5 to 8 hold no pairing number");
  int round = 1;
  for (int at = 9; at < line.width(); at += 5, ++round) {
    const std::string_view text = Trim(line.At(at, 4));
    const std::optional<Tenths> points = text.empty() ? 0 : ParsePoints(text);
    if (!points.has_value()) return Bad(absl::StrCat("no points for round ", round));
    lent_.push_back({line_, *points, round, round, *number, *number});
  }
  return absl::OkStatus();
}

absl::Status Parser::Forbidden(const Columns& line) {
  const std::optional<int> first = ParseNumber(line.At(4, 3));
  const std::optional<int> last = ParseNumber(line.At(8, 3));
  if (!first || !last || *first < 1 || *first > *last) {
    return Bad("columns 5 to 7 and 9 to 11 hold no rounds");
  }
  absl::StatusOr<std::vector<int>> numbers = Numbers(line, 12);
  if (!numbers.ok()) return numbers.status();
  groups_.push_back({line_, {*std::move(numbers), *first, *last}});
  return absl::OkStatus();
}

absl::Status Parser::ForbiddenForEver(const Columns& line) {
  std::vector<int> numbers;
  for (const std::string_view word : Words(line.From(3))) {
    const std::optional<int> number = ParseNumber(word);
    if (!number.has_value()) return Bad(absl::StrCat("no number: ", std::string(word)));
    numbers.push_back(*number);
  }
  groups_.push_back({line_, {std::move(numbers), 1, 0}});
  return absl::OkStatus();
}

}  // namespace astragal::algorithms::trf
