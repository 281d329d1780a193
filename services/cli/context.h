// What every command works with: the terminal, the global options, and the connection they lead to.
//
// Owns the client, made when first asked for. Used by one thread; only WithKey may be called by
// any, and the clients it gives are for any.
#ifndef ASTRAGAL_SERVICES_CLI_CONTEXT_H_
#define ASTRAGAL_SERVICES_CLI_CONTEXT_H_

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/cli/client.h"
#include "services/cli/key_file.h"

namespace astragal::cli {

// Where a command reads and writes. Tests put their own here.
struct Terminal {
  std::ostream& out;  // what was asked for
  std::ostream& err;  // everything said about it
  int in_fd = 0;
  bool in_is_tty = false;
  bool out_is_tty = false;
  bool color = false;  // a terminal, and NO_COLOR is unset
  int width = 80;      // columns

  // Standard input, output and error of this process.
  static Terminal Standard();

  std::string Bold(std::string_view text) const;
  std::string Faint(std::string_view text) const;
};

struct GlobalOptions {
  std::string server = "127.0.0.1:7420";
  std::string player;  // "": the current one of the key file
  double timeout_s = 10;
};

class Context {
 public:
  explicit Context(Terminal terminal) : terminal_(terminal), keys_(KeyFile::DefaultPath()) {}

  Terminal& terminal() { return terminal_; }
  std::ostream& out() { return terminal_.out; }
  std::ostream& err() { return terminal_.err; }
  GlobalOptions& global() { return global_; }
  const KeyFile& keys() const { return keys_; }

  // How long calls are repeated, when a command needs another time than --timeout; before the first
  // call.
  void SetTimeout(absl::Duration timeout) { timeout_ = timeout; }

  // Without credentials: for what anybody may do.
  Client& Anonymous();
  // With the chosen player's key: ASTRAGAL_KEY, else --player, else the current player. An error
  // that says how to get one.
  absl::StatusOr<Client*> AsPlayer();
  // A client with this key.
  std::unique_ptr<Client> WithKey(const std::string& key);

  // How to start this program for the same server, for lines that people copy: "astragal" or
  // "astragal --server HOST:PORT".
  std::string ProgramForOthers() const;

 private:
  absl::StatusOr<std::string> Key() const;

  Terminal terminal_;
  GlobalOptions global_;
  KeyFile keys_;
  absl::Duration timeout_ = absl::ZeroDuration();  // zero: --timeout
  std::unique_ptr<Client> anonymous_;
  std::unique_ptr<Client> as_player_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_CONTEXT_H_
