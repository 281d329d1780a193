// The seats of a game by name, and seats as people type them.
#ifndef ASTRAGAL_SERVICES_CLI_SEATS_H_
#define ASTRAGAL_SERVICES_CLI_SEATS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "astragal/v1/game.pb.h"

namespace astragal::cli {

// A value; any number a server sends has a name.
class Seats {
 public:
  Seats() = default;
  explicit Seats(const v1::Game& game);

  // "white"; "seat 7" for a seat the game does not list; "nobody" for a negative one.
  std::string Name(int seat) const;
  // "white (alice)", "white (free)".
  std::string Who(int seat) const;
  // "white (alice), black (bob)"; "nobody".
  std::string WhoAre(const std::vector<int>& seats) const;
  // The seat of this player.
  std::optional<int> SeatOf(std::string_view player_id) const;
  // Any player of the game by id; the id itself when there is none.
  std::string PlayerName(const std::string& player_id) const;
  size_t size() const { return seats_.size(); }

 private:
  std::vector<v1::Seat> seats_;
};

// A number or one of the names, in any case. An error of usage that lists the names.
absl::StatusOr<int> ReadSeat(std::string_view typed, const std::vector<std::string>& names);

// One line: places, points, and how the game ended.
std::string ResultText(const std::vector<v1::Seat>& seats, v1::GameEnding ending);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_SEATS_H_
