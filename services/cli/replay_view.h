// A game's replay as text: a line for every turn, and boards where they are wanted.
#ifndef ASTRAGAL_SERVICES_CLI_REPLAY_VIEW_H_
#define ASTRAGAL_SERVICES_CLI_REPLAY_VIEW_H_

#include <functional>
#include <optional>
#include <ostream>
#include <string_view>

#include "astragal/v1/history_service.pb.h"
#include "services/cli/event_text.h"
#include "services/cli/seats.h"

namespace astragal::cli {

enum class Boards { kNone, kFew, kAll };  // kFew: at the start, in the middle and at the end
std::optional<Boards> BoardsFromWord(std::string_view word);

// Not thread-safe.
class ReplayView {
 public:
  struct Options {
    Boards boards = Boards::kAll;
    uint32_t first = 1;  // events that will come: where the middle is
    uint32_t last = 1;
    // Called after every line (and its board) but the last. May be empty.
    std::function<void()> pause;
  };

  ReplayView(Options options, const Seats& seats, std::ostream& out)
      : options_(std::move(options)), turns_(seats), out_(out) {}

  void Step(const v1::StreamReplayResponse& step);
  // Shows what is still open.
  void End();

 private:
  void Show(const TurnLine& line, bool is_last);
  bool WantsBoard(const TurnLine& line, bool is_last);

  const Options options_;
  TurnLines turns_;
  std::ostream& out_;
  v1::Position position_;  // after the last event of the open line
  bool start_shown_ = false;
  bool middle_shown_ = false;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_REPLAY_VIEW_H_
