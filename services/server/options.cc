#include "services/server/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "services/core/receipts.h"

namespace astragal::server {
namespace {

constexpr const char* kExamples = R"(
Examples:
  astragald                                   private database, rulesets beside the program
  astragald --listen 127.0.0.1:9000 --data-dir /srv/astragal
  astragald --database-url postgresql://astragal@db/astragal
  astragald --listen 0.0.0.0:443 --tls-cert /etc/astragal/fullchain.pem --tls-key /etc/astragal/key.pem

Without --database-url the server runs its own private PostgreSQL in the data directory: it is
started and stopped with it and listens on a Unix socket only.)";

std::string DefaultDataDir() {
  // Not below /root: PostgreSQL runs as another user, who must be able to reach the folder.
  if (geteuid() == 0) return "/var/lib/astragal";
  if (const char* state = std::getenv("XDG_STATE_HOME")) return std::string(state) + "/astragal";
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.local/state/astragal";
}

std::string DefaultPlugins() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "plugins").string();
}

}  // namespace

std::optional<int> ReadOptions(int argc, char** argv, Options& options) {
  options.data_dir = DefaultDataDir();
  options.plugins = DefaultPlugins();
  CLI::App app("astragald: the Astragal game service");
  app.footer(kExamples);
  app.set_version_flag("--version", ASTRAGAL_VERSION);
  app.add_option("--listen", options.listen, "address and port to serve on")->capture_default_str();
  app.add_option("--data-dir", options.data_dir, "key file, copies of plugins, private database")
      ->capture_default_str();
  app.add_option("--plugins", options.plugins, "folder of ruleset libraries (lib*.so)")
      ->capture_default_str();
  app.add_option("--database-url", options.database_url, "PostgreSQL server to use");
  app.add_option("--rating-profiles", options.rating_profiles,
                 "file with profiles of new pools of ratings: lines RULESET field=value ...");
  CLI::Option* certificate = app.add_option(
      "--tls-cert", options.tls_certificate,
      "speak TLS with this certificate chain (PEM; a new one is read while serving)");
  CLI::Option* key = app.add_option("--tls-key", options.tls_key,
                                    "its private key (PEM), which nobody else may read");
  certificate->needs(key);
  key->needs(certificate);
  app.add_flag("--plain-text-anywhere", options.plain_text_anywhere,
               "serve without TLS on other addresses than loopback, too: what others can read on "
               "the way includes the players' keys");
  app.add_option("--threads", options.threads, "threads and connections for the database")
      ->capture_default_str()
      ->check(CLI::Range(2, 64));
  app.add_option("--receipt-key", options.receipt_key,
                 "number of the key that receipts are signed with; raise it to change the key")
      ->capture_default_str()
      ->check(CLI::Range(1, static_cast<int>(core::Receipts::kMaxKey)));
  app.add_option("--pack-after-hours", options.pack_after_hours,
                 "so long after its end the log of a game is packed into one row; until then a "
                 "repeated request of its players gets its first answer")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--measure-database", options.measure_seconds,
                 "do not serve; measure for so many seconds what the running database does alone, "
                 "and print it as JSON (astragal bench does this)")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--measure-clients", options.measure_clients, "at once, for --measure-database")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_flag("--verify-store", options.verify_store,
               "do not serve; replay every stored game, compare every hash, throw and rating, and "
               "print what was found as JSON (deploy/backup prove does this)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

}  // namespace astragal::server
