#include "services/server/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "services/core/receipts.h"
#include "services/server/credentials.h"

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

bool LimitsEnforced(const Options& options) {
  return options.limits || options.behind_proxy || !IsLoopback(options.listen);
}

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
  app.add_option("--operator-ca", options.operator_ca,
                 "who shows a client certificate of this authority (PEM) is an operator")
      ->needs(certificate);
  CLI::Option* issuer = app.add_option(
      "--issuer", options.issuer,
      "let people sign in with ID tokens (OpenID Connect) of this issuer: its name, a URL");
  CLI::Option* audience = app.add_option("--issuer-audience", options.issuer_audience,
                                         "what this server is called there (its client id)");
  CLI::Option* keys =
      app.add_option("--issuer-keys", options.issuer_keys,
                     "file with the issuer's public keys, the JSON Web Key Set that it publishes; "
                     "read again when it changes");
  issuer->needs(audience)->needs(keys);
  audience->needs(issuer);
  keys->needs(issuer);
  app.add_flag("--behind-proxy", options.behind_proxy,
               "a proxy on this machine speaks for the callers and says their addresses in "
               "x-forwarded-for; calls are limited");
  app.add_flag("--limits", options.limits,
               "limit calls (astragal admin info shows how); so it is on other addresses than "
               "loopback and behind a proxy without being asked");
  app.add_option(
         "--capacity", options.capacity,
         "calls a second that may change something; more are refused at once; 0: any number")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  app.add_flag("--log-calls", options.log_calls, "write a line for every call");
  app.add_option("--metrics", options.metrics,
                 "serve metrics for Prometheus at http://HOST:PORT/metrics, for example "
                 "127.0.0.1:7421; anybody who reaches it may read them");
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
