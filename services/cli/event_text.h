// Events as sentences, and whole turns as one line of notation. Nothing here knows any rules: all
// that is said follows from what events carry.
#ifndef ASTRAGAL_SERVICES_CLI_EVENT_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_EVENT_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "astragal/v1/game.pb.h"
#include "services/cli/seats.h"

namespace astragal::cli {

// One event, without its number: "white throws 6-3", "white plays 24/18".
std::string EventText(const v1::Event& event, const Seats& seats);

// The seat a throw belongs to, as its effects say; nullopt when they do not.
std::optional<int> SeatOfThrow(const v1::ThrowMade& made);

// A turn, or an event that belongs to none.
struct TurnLine {
  uint32_t first_sequence = 0;
  uint32_t last_sequence = 0;
  std::string text;  // "white  6-3: 24/18 18/15"
};

// Gathers throws and actions of one seat into one line. Events in order; not thread-safe.
class TurnLines {
 public:
  explicit TurnLines(Seats seats) : seats_(std::move(seats)) {}

  // The line that this event closes: all before it.
  std::optional<TurnLine> Add(const v1::Event& event);
  // The line that is still open at the end.
  std::optional<TurnLine> Close();

 private:
  struct Open {
    uint32_t first = 0;
    uint32_t last = 0;
    std::optional<int> seat;
    std::vector<std::string> throws;
    std::vector<std::string> actions;
    std::vector<std::string> remarks;
    std::string other;  // an event of no turn, as a sentence
    bool passed = false;
  };

  bool Continues(const v1::Event& event) const;
  void Extend(const v1::Event& event);

  const Seats seats_;
  std::optional<Open> open_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_EVENT_TEXT_H_
