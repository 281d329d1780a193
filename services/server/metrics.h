// What is measured while the server serves, for Prometheus: a page of text over HTTP, made anew for
// each look from counts that are kept anyway.
#ifndef ASTRAGAL_SERVICES_SERVER_METRICS_H_
#define ASTRAGAL_SERVICES_SERVER_METRICS_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/rpc/gate.h"

namespace astragal::server {

// One number that is read when somebody looks.
struct Reading {
  enum class Kind { kGauge, kCounter };  // a counter never goes down

  std::string name;  // without the prefix astragal_
  std::string help;
  Kind kind;
  std::function<double()> read;  // any thread
  std::string label;             // empty: none; else name=value
  // Instead of the two: a number for each label, of things that come and go.
  std::function<std::vector<std::pair<std::string, double>>()> read_each{};
};

// Serves http://ADDRESS/metrics from its construction to its end. Owns its threads; the gate and
// whatever the readings look at must outlive it.
class Metrics {
 public:
  // `address` is "HOST:PORT"; port 0: any. FAILED_PRECONDITION when it cannot be listened on.
  static absl::StatusOr<std::unique_ptr<Metrics>> Serve(const std::string& address,
                                                        const rpc::Gate& gate,
                                                        std::vector<Reading> readings);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  int port() const;

 private:
  struct Parts;
  explicit Metrics(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_METRICS_H_
