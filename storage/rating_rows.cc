// Records of ratings as parameters of statements, and rows as records.
#include <charconv>
#include <cstdlib>

#include "storage/rating_queries.h"

namespace astragal::storage {
namespace {

std::string UuidArray(const std::vector<base::PlayerId>& players) {
  ArrayText text;
  for (const base::PlayerId& player : players) text.Uuid(player.bytes());
  return std::move(text).Take();
}

std::string IntArray(const std::vector<int32_t>& numbers) {
  const std::vector<int64_t> wide(numbers.begin(), numbers.end());
  return ArrayFromIntegers(wide);
}

// {id,id,...}, with or without dashes.
std::vector<base::PlayerId> PlayersFromArray(std::string_view text) {
  std::vector<base::PlayerId> players;
  if (text.size() < 2) return players;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    players.emplace_back(UuidFromText(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return players;
}

// The columns that steps and standings share.
template <size_t N>
void AddNumbers(const StandingRecord& standing, std::array<ArrayText, N>& of, size_t column) {
  of[column++].Text(NumberText(standing.rating));
  of[column++].Text(NumberText(standing.deviation));
  of[column++].Text(NumberText(standing.volatility));
  of[column++].Int(standing.matches);
  of[column++].Int(standing.opponents);
  of[column++].Int(standing.wins);
  of[column++].Int(standing.draws);
  of[column++].Int(standing.last_at.micros);
  of[column++].Text(NumberText(standing.peak));
  of[column++].Int(standing.peak_at.micros);
  of[column++].Text(NumberText(standing.fibs_rating));
  of[column++].Text(NumberText(standing.fibs_experience));
}

double Double(const Rows& rows, size_t row, int column) {
  return NumberFromText(rows.Text(row, column));
}

int32_t Int32(const Rows& rows, size_t row, int column) {
  return static_cast<int32_t>(rows.Int(row, column));
}

void ReadNumbers(const Rows& rows, size_t row, int column, StandingRecord& standing) {
  standing.rating = Double(rows, row, column++);
  standing.deviation = Double(rows, row, column++);
  standing.volatility = Double(rows, row, column++);
  standing.matches = Int32(rows, row, column++);
  standing.opponents = Int32(rows, row, column++);
  standing.wins = Int32(rows, row, column++);
  standing.draws = Int32(rows, row, column++);
  standing.last_at = rows.At(row, column++);
  standing.peak = Double(rows, row, column++);
  standing.peak_at = rows.At(row, column++);
  standing.fibs_rating = Double(rows, row, column++);
  standing.fibs_experience = Double(rows, row, column++);
}

}  // namespace

std::vector<int32_t> IntsFromArray(std::string_view text) {
  std::vector<int32_t> numbers;
  for (const int64_t number : IntegersFromArray(text)) {
    numbers.push_back(static_cast<int32_t>(number));
  }
  return numbers;
}

std::string NumberText(double number) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return std::string(text, end);
}

double NumberFromText(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void MatchRows::Add(const RatedMatchRecord& match) {
  size_t column = 0;
  of[column++].Int(match.rated_order);
  of[column++].Uuid(match.match.bytes());
  of[column++].Int(match.finished_at.micros);
  of[column++].Text(UuidArray(match.players));
  of[column++].Text(IntArray(match.places));
  of[column++].Int(match.length);
  of[column++].Int(match.first_mover);
  of[column++].Bool(match.exempt);
  of[column++].Bool(match.early);
  of[column++].Int(static_cast<int>(match.state));
  of[column++].Int(match.revision);
  of[column++].Text(match.reason);
  estimates.Text(IntArray(match.estimates));
}

void StepRows::Add(const StepRecord& step) {
  size_t column = 0;
  of[column++].Uuid(step.after.player.bytes());
  of[column++].Int(step.rated_order);
  of[column++].Int(step.revision);
  of[column++].Bool(step.counted);
  of[column++].Text(NumberText(step.information));
  of[column++].Text(NumberText(step.rating_before));
  of[column++].Text(NumberText(step.deviation_before));
  of[column++].Text(NumberText(step.volatility_before));
  AddNumbers(step.after, of, column);
}

void StandingRows::Add(const ListedStanding& listed) {
  of[0].Uuid(listed.standing.player.bytes());
  of[1].Bool(listed.standing.pinned);
  AddNumbers(listed.standing, of, 2);
  of[14].Text(NumberText(listed.lower_bound));
  of[15].Bool(listed.listed);
}

void PairRows::Add(const PairStanding& pair) {
  of[0].Uuid(pair.low.bytes());
  of[1].Uuid(pair.high.bytes());
  of[2].Int(pair.matches);
  of[3].Int(pair.wins);
  of[4].Int(pair.draws);
  of[5].Text(ArrayFromIntegers(pair.recent));
}

FinishedGame FinishedGameFromRow(const Rows& rows, size_t row) {
  FinishedGame game;
  int column = 0;
  game.id = rows.Int(row, column++);
  game.game = rows.Uuid<base::GameId>(row, column++);
  game.ruleset = rows.Text(row, column++);
  game.rules_version = static_cast<uint32_t>(rows.Int(row, column++));
  game.options = IntegersFromArray(rows.Text(row, column++));
  game.clock.kind = static_cast<ClockKind>(rows.Int(row, column++));
  game.clock.reserve_ms = rows.Int(row, column++);
  game.clock.increment_ms = rows.Int(row, column++);
  game.clock.first_turn_ms = rows.Int(row, column++);
  game.match = rows.Uuid<base::MatchId>(row, column++);
  game.ending = static_cast<Ending>(rows.Int(row, column++));
  game.finished_at = rows.At(row, column++);
  game.players = PlayersFromArray(rows.Text(row, column++));
  game.places = IntsFromArray(rows.Text(row, column++));
  for (const int32_t bot : IntsFromArray(rows.Text(row, column++))) game.bots.push_back(bot != 0);
  game.actions = rows.Int(row, column++);
  game.rated_already = rows.Bool(row, column++);
  game.aborted_by = rows.Uuid<base::PlayerId>(row, column++);
  game.waiting_position = rows.Bytes(row, column++);
  game.one_household = rows.Bool(row, column++);
  return game;
}

PoolRecord PoolFromRow(const Rows& rows, size_t row) {
  PoolRecord pool;
  pool.number = Int32(rows, row, 0);
  pool.name = rows.Text(row, 1);
  pool.ruleset = rows.Text(row, 2);
  pool.seats = static_cast<uint8_t>(rows.Int(row, 3));
  pool.profile = rows.Text(row, 4);
  pool.next_order = rows.Int(row, 5);
  pool.revision = Int32(rows, row, 6);
  pool.created_at = rows.At(row, 7);
  return pool;
}

ListedStanding ListedFromRow(const Rows& rows, size_t row, int column) {
  ListedStanding listed;
  listed.standing.player = rows.Uuid<base::PlayerId>(row, column);
  listed.standing.pinned = rows.Bool(row, column + 1);
  ReadNumbers(rows, row, column + 2, listed.standing);
  listed.lower_bound = Double(rows, row, column + 14);
  listed.listed = rows.Bool(row, column + 15);
  return listed;
}

StepRecord StepFromRow(const Rows& rows, size_t row, int column) {
  StepRecord step;
  step.after.player = rows.Uuid<base::PlayerId>(row, column++);
  step.rated_order = rows.Int(row, column++);
  step.revision = Int32(rows, row, column++);
  step.counted = rows.Bool(row, column++);
  step.information = Double(rows, row, column++);
  step.rating_before = Double(rows, row, column++);
  step.deviation_before = Double(rows, row, column++);
  step.volatility_before = Double(rows, row, column++);
  ReadNumbers(rows, row, column, step.after);
  return step;
}

RatedMatchRecord MatchFromRow(const Rows& rows, size_t row, int column) {
  RatedMatchRecord match;
  match.rated_order = rows.Int(row, column++);
  match.match = rows.Uuid<base::MatchId>(row, column++);
  match.finished_at = rows.At(row, column++);
  match.players = PlayersFromArray(rows.Text(row, column++));
  match.places = IntsFromArray(rows.Text(row, column++));
  match.length = Int32(rows, row, column++);
  match.first_mover = Int32(rows, row, column++);
  match.exempt = rows.Bool(row, column++);
  match.early = rows.Bool(row, column++);
  match.state = static_cast<MatchState>(rows.Int(row, column++));
  match.revision = Int32(rows, row, column++);
  match.reason = rows.Text(row, column++);
  return match;
}

PairStanding PairFromRow(const Rows& rows, size_t row) {
  PairStanding pair;
  pair.low = rows.Uuid<base::PlayerId>(row, 0);
  pair.high = rows.Uuid<base::PlayerId>(row, 1);
  pair.pool = Int32(rows, row, 2);
  pair.matches = Int32(rows, row, 3);
  pair.wins = Int32(rows, row, 4);
  pair.draws = Int32(rows, row, 5);
  pair.recent = IntegersFromArray(rows.Text(row, 6));
  return pair;
}

}  // namespace astragal::storage
