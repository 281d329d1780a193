// One player at one game's board: shows what happens, reads what is typed, plays it.
//
// Follows the game's stream on a thread of its own (see follow.h); everything else happens on the
// caller's thread. Losing the server costs nothing: the stream goes on after the last event seen,
// and a move that got no answer is sent again under the same request id.
#ifndef ASTRAGAL_SERVICES_CLI_PLAY_SESSION_H_
#define ASTRAGAL_SERVICES_CLI_PLAY_SESSION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "services/cli/client.h"
#include "services/cli/context.h"
#include "services/cli/contribution.h"
#include "services/cli/follow.h"
#include "services/cli/lines.h"
#include "services/cli/play_line.h"
#include "services/cli/seats.h"

namespace astragal::cli {

class PlaySession {
 public:
  PlaySession(Context& context, Client& client, std::string game_id, absl::Duration patience);

  // Until the game is over, the player leaves, or the input ends. With scripted input (no terminal)
  // a refused line is an error at the end: the first one that was refused.
  absl::Status Run();

 private:
  // Finds the game and the caller's seat. NOT_SEATED.
  absl::Status Open();
  // Takes what the stream brought.
  absl::Status OnItems();
  absl::Status OnItem(const Follow::Item& item);
  void OnEvent(const v1::Event& event);
  // Reads the game's seats and the legal actions anew, adds to its dice if it waits for that, and
  // shows them.
  absl::Status Refresh();
  // Says so once it has.
  absl::Status AddToDice(v1::Game& game);
  void Show();
  void Prompt();
  // Does what a line says.
  absl::Status OnLine(const std::string& line);
  absl::Status OnActions(const PlayLine& read);
  absl::StatusOr<v1::PlayActionsResponse> Send(const std::vector<std::string>& actions);
  absl::Status Resign();
  void Refuse(const absl::Status& status);
  void ShowHelp();

  bool IsMyTurn() const;
  // Whether the next line can be worked on now: words at any time, moves when the seat is to act.
  bool CanTakeLine() const;
  void WaitForSomething();
  void AwaitReceipt();
  void ShowReceipt(const v1::Receipt& receipt);

  Context& context_;
  Client& client_;
  const std::string game_id_;
  const absl::Duration patience_;
  Lines lines_;
  std::unique_ptr<Follow> follow_;
  Contribution contribution_;

  v1::Game game_;
  Seats seats_;
  int seat_ = -1;
  uint32_t last_event_ = 0;  // shown
  v1::ListLegalActionsResponse legal_;
  bool is_stale_ = false;  // legal_ is of an earlier moment
  bool is_done_ = false;
  bool has_receipt_ = false;
  absl::Status first_refusal_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_PLAY_SESSION_H_
