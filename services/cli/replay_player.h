// A game's replay under the keys of a terminal: one event or one turn on or back, any event by its
// number, playing by itself at a speed, the board turned round.
//
// The player is a value that knows what is shown; RunReplayPlayer connects it to a terminal.
#ifndef ASTRAGAL_SERVICES_CLI_REPLAY_PLAYER_H_
#define ASTRAGAL_SERVICES_CLI_REPLAY_PLAYER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "astragal/v1/history_service.pb.h"
#include "services/cli/context.h"
#include "services/cli/event_text.h"
#include "services/cli/seats.h"

namespace astragal::cli {

// Half a turn of a board made of characters: every character goes to the opposite place, brackets
// change sides, and numbers and words stay readable.
std::string TurnedRound(const std::string& board);

// Not thread-safe.
class ReplayPlayer {
 public:
  // The keys, as one character each. Digits gather the number of an event, kEnter goes there;
  // without digits it is the next turn.
  static constexpr char kRight = '>', kLeft = '<', kUp = '^', kDown = 'v';
  static constexpr char kHome = 'H', kEnd = 'E', kEnter = '\n';

  explicit ReplayPlayer(const v1::Game& game);

  // Events in order, each with the position after it; all of them before anything is shown.
  void Add(const v1::StreamReplayResponse& step);
  // Ends the last turn. At least one event was added.
  void Close();

  // False when the reader has seen enough.
  bool Press(char key);
  // A step of playing by itself; it stops at the end.
  void Tick();
  // How long the next step waits; nothing while nobody plays.
  std::optional<int> wait_ms() const;

  // What is shown: the board, the event, its turn, the keys.
  std::string Screen() const;
  // The number of the event that is shown.
  uint32_t sequence() const { return frames_[at_].sequence; }

 private:
  struct Frame {
    uint32_t sequence = 0;
    std::string board;
    std::string event;
  };

  // The last frame whose sequence is at most this, else the first.
  size_t FrameOf(uint32_t sequence) const;
  size_t TurnOf(uint32_t sequence) const;
  void GoTo(size_t frame);
  // The end of the turn this many turns away.
  void GoTurns(int turns);
  void PressEnter();

  const Seats seats_;
  TurnLines lines_;
  std::vector<Frame> frames_;
  std::vector<TurnLine> turns_;
  size_t at_ = 0;
  size_t speed_;
  bool is_playing_ = false;
  bool is_turned_ = false;
  std::string typed_;  // digits
};

// Keys from the bytes that a terminal sends; what is none is left out. Arrows, Home and End come as
// escape sequences; a sequence that is cut off stays in `bytes`.
std::string TakeKeys(std::string& bytes);

// Until the reader quits or the input ends. A terminal shows one screen in place of the other and
// reads single keys; its mode is given back whatever happens.
absl::Status RunReplayPlayer(Context& context, ReplayPlayer player);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_REPLAY_PLAYER_H_
