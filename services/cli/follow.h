// A game followed over one stream after another: whoever reads sees a snapshot, then every event
// once and in order, whatever happens to the connection.
//
// Owns a thread that reads the stream, answers its pings, and comes back after the last event it
// has when the stream breaks. Made, read and destroyed by one thread, which may wait for it with
// poll().
#ifndef ASTRAGAL_SERVICES_CLI_FOLLOW_H_
#define ASTRAGAL_SERVICES_CLI_FOLLOW_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "astragal/v1/record_service.pb.h"
#include "services/cli/client.h"

namespace astragal::cli {

// The seats that are connected.
inline std::vector<int> ConnectedSeats(const v1::Presence& presence) {
  return {presence.connected_seats().begin(), presence.connected_seats().end()};
}

class Follow {
 public:
  // A stream that says nothing for so long is dead: the server sends a heartbeat every 10 s.
  static constexpr absl::Duration kLongestSilence = absl::Seconds(35);
  // The events of one move come together: whoever shows the board waits so long for more of them.
  static constexpr absl::Duration kSettle = absl::Milliseconds(30);

  struct Lost {  // the stream broke; it is being opened again
    absl::Status why;
  };
  struct Regained {};  // and it stands again
  struct End {         // nothing will follow: OK when the game is over
    absl::Status status;
  };
  using Item =
      std::variant<v1::GameSnapshot, v1::Event, v1::Presence, v1::Receipt, Lost, Regained, End>;

  // `after` as WatchGameRequest.after_sequence. An outage longer than `patience` ends it.
  Follow(Client& client, std::string game_id, std::optional<uint32_t> after,
         absl::Duration patience);
  ~Follow();
  Follow(const Follow&) = delete;
  Follow& operator=(const Follow&) = delete;

  // Readable when Take has something.
  int fd() const { return read_fd_; }
  // Everything since the last call, in order. Call it at least every few seconds: it is what
  // notices silence.
  std::vector<Item> Take();
  // Waits, at most so long, until Take has something; says whether it has.
  bool Wait(absl::Duration limit);

 private:
  void Loop();
  absl::Status ReadOnce();
  void OnMessage(const v1::WatchGameResponse& message);
  void Push(Item item);
  void Sleep(absl::Duration wait);
  std::shared_ptr<StreamStop> NewStop();

  Client& client_;
  const std::string game_id_;
  const absl::Duration patience_;
  int read_fd_ = -1;
  int write_fd_ = -1;

  // Of the thread alone.
  std::optional<uint32_t> after_;
  bool has_snapshot_ = false;
  bool is_lost_ = false;
  bool got_message_ = false;
  bool is_over_ = false;  // the game, as far as was read
  bool has_receipt_ = false;
  base::SystemRandom random_;

  std::mutex mutex_;
  std::vector<Item> items_;           // guarded by mutex_
  std::shared_ptr<StreamStop> stop_;  // guarded by mutex_
  absl::Time last_message_;           // guarded by mutex_
  bool ending_ = false;               // guarded by mutex_

  std::thread thread_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_FOLLOW_H_
