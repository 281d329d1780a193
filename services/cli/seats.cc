#include "services/cli/seats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/cli/errors.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

struct EndingName {
  v1::GameEnding ending;
  std::string_view text;
};
constexpr std::array kEndings = {
    EndingName{v1::GAME_ENDING_PLAYED, "played to the end"},
    EndingName{v1::GAME_ENDING_RESIGNED, "by resignation"},
    EndingName{v1::GAME_ENDING_TIMED_OUT, "on time"},
    EndingName{v1::GAME_ENDING_ABANDONED, "abandoned"},
    EndingName{v1::GAME_ENDING_DRAW_AGREED, "by agreement"},
    EndingName{v1::GAME_ENDING_ABORTED, "called off"},
    EndingName{v1::GAME_ENDING_ABORT_AGREED, "called off by agreement"},
    EndingName{v1::GAME_ENDING_NOT_BEGUN, "a seat did not begin"},
    EndingName{v1::GAME_ENDING_NOT_FILLED, "nobody came"},
};

std::string_view EndingText(v1::GameEnding ending) {
  for (const EndingName& name : kEndings) {
    if (name.ending == ending) return name.text;
  }
  return "ended";
}

absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Seats::Seats(const v1::Game& game) : seats_(game.seats().begin(), game.seats().end()) {}

std::string Seats::Name(int seat) const {
  if (seat < 0) return "nobody";
  for (const v1::Seat& s : seats_) {
    if (s.seat() == seat && !s.name().empty()) return s.name();
  }
  return "seat " + std::to_string(seat);
}

std::string Seats::Who(int seat) const {
  for (const v1::Seat& s : seats_) {
    if (s.seat() != seat) continue;
    if (s.player_id().empty()) return Name(seat) + " (free)";
    return Name(seat) + " (" + (s.player_name().empty() ? s.player_id() : s.player_name()) + ")";
  }
  return Name(seat);
}

std::string Seats::WhoAre(const std::vector<int>& seats) const {
  std::vector<std::string> words;
  for (const int seat : seats) words.push_back(Who(seat));
  return words.empty() ? "nobody" : Join(words, ", ");
}

std::optional<int> Seats::SeatOf(std::string_view player_id) const {
  for (const v1::Seat& s : seats_) {
    if (!player_id.empty() && s.player_id() == player_id) return s.seat();
  }
  return std::nullopt;
}

std::string Seats::PlayerName(const std::string& player_id) const {
  for (const v1::Seat& s : seats_) {
    if (s.player_id() == player_id && !s.player_name().empty()) return s.player_name();
  }
  return player_id;
}

absl::StatusOr<int> ReadSeat(std::string_view typed, const std::vector<std::string>& names) {
  int seat = -1;
  const char* end = typed.data() + typed.size();
  if (std::from_chars(typed.data(), end, seat).ptr == end && seat >= 0) return seat;
  for (size_t i = 0; i < names.size(); ++i) {
    if (absl::EqualsIgnoreCase(Absl(names[i]), Absl(typed))) return static_cast<int>(i);
  }
  return UsageError(absl::StrCat("There is no seat '", Absl(typed), "'; the seats are ",
                                 Join(names, ", "), ", or their numbers from 0."));
}

std::string ResultText(const std::vector<v1::Seat>& seats, v1::GameEnding ending) {
  std::vector<v1::Seat> ranked = seats;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const v1::Seat& a, const v1::Seat& b) { return a.place() < b.place(); });
  std::vector<std::string> parts;
  for (const v1::Seat& seat : ranked) {
    if (seat.place() == 0) return "no result, " + std::string(EndingText(ending));
    std::string part = absl::StrCat(seat.place(), ". ", seat.name());
    if (!seat.player_name().empty()) absl::StrAppend(&part, " (", seat.player_name(), ")");
    absl::StrAppend(&part, " ", seat.points(), seat.points() == 1 ? " point" : " points");
    parts.push_back(std::move(part));
  }
  return Join(parts, ", ") + ", " + std::string(EndingText(ending));
}

}  // namespace astragal::cli
