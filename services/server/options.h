// What astragald is told when it starts.
#ifndef ASTRAGAL_SERVICES_SERVER_OPTIONS_H_
#define ASTRAGAL_SERVICES_SERVER_OPTIONS_H_

#include <optional>
#include <string>

namespace astragal::server {

struct Options {
  std::string listen = "127.0.0.1:7420";
  std::string data_dir;         // key file, copies of plugins, the private database
  std::string plugins;          // folder of lib*.so
  std::string database_url;     // empty: a private PostgreSQL below data_dir
  std::string rating_profiles;  // a file that changes those of new pools; empty: none
  std::string tls_certificate;  // PEM files; empty: plain text
  std::string tls_key;
  bool plain_text_anywhere = false;  // else on loopback and Unix sockets only
  std::string operator_ca;  // PEM: who shows a certificate of it is an operator; empty: none
  // An issuer of OpenID Connect, what this server is called there, and its keys; empty: nobody
  // signs in from outside.
  std::string issuer;
  std::string issuer_audience;
  std::string issuer_keys;
  bool behind_proxy = false;  // callers' addresses are what a proxy on this machine says
  bool limits = false;        // also where only this machine is served
  double capacity = 0;        // calls a second that change something; 0: any number
  bool log_calls = false;     // a line for every call
  std::string metrics;        // host and port of the page of metrics; empty: none
  int threads = 8;            // that may block on the database, and connections to it
  int receipt_key = 1;        // number of the key that receipts are signed with
  int pack_after_hours = 24;  // the logs of games that ended so long ago are packed

  // Instead of serving: measure the running database (see measure_database.h).
  double measure_seconds = 0;  // 0: serve
  int measure_clients = 1;

  // Instead of serving: see verify_store.h.
  bool verify_store = false;
};

// Whether calls are limited: wherever others than this machine are served.
bool LimitsEnforced(const Options& options);

// Reads the command line; prints help, the version or what is wrong. Returns the exit code when the
// program should end.
std::optional<int> ReadOptions(int argc, char** argv, Options& options);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_OPTIONS_H_
