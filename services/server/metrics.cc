#include "services/server/metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>

#include <array>
#include <exception>
#include <map>
#include <utility>

namespace astragal::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// The names of gRPC's status codes, by number.
constexpr std::array kCodes = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

MetricFamily Family(const std::string& name, const std::string& help, MetricType type) {
  MetricFamily family;
  family.name = "astragal_" + name;
  family.help = help;
  family.type = type;
  return family;
}

// What is counted of each method that streams.
struct OfStreams {
  const char* name;
  const char* help;
  MetricType type;
  double (*read)(const rpc::Gate::Method& method);
};
const std::array kOfStreams = {
    OfStreams{"watchers_open", "Open streams, by method.", MetricType::Gauge,
              [](const rpc::Gate::Method& method) { return static_cast<double>(method.open); }},
    OfStreams{"watcher_messages_total", "Messages of streams but heartbeats, by method.",
              MetricType::Counter,
              [](const rpc::Gate::Method& method) { return static_cast<double>(method.sent); }},
    OfStreams{"watcher_messages_unsent",
              "Messages that wait for their client to read: at most one of a stream.",
              MetricType::Gauge,
              [](const rpc::Gate::Method& method) { return static_cast<double>(method.unsent); }},
    OfStreams{"watchers_slow_total", "Streams ended because their client read too slowly.",
              MetricType::Counter,
              [](const rpc::Gate::Method& method) { return static_cast<double>(method.slow); }},
};

class Page : public prometheus::Collectable {
 public:
  Page(const rpc::Gate& gate, std::vector<Reading> readings)
      : gate_(gate), readings_(std::move(readings)) {}

  std::vector<MetricFamily> Collect() const override {
    std::vector<MetricFamily> families = {Calls(), Times()};
    for (const OfStreams& one : kOfStreams) families.push_back(Streams(one));
    std::map<std::string, size_t> by_name;
    for (const Reading& reading : readings_) {
      const bool counts = reading.kind == Reading::Kind::kCounter;
      const auto [at, fresh] = by_name.emplace(reading.name, families.size());
      if (fresh) {
        families.push_back(
            Family(reading.name, reading.help, counts ? MetricType::Counter : MetricType::Gauge));
      }
      std::vector<std::pair<std::string, double>> values;
      if (reading.read_each) {
        values = reading.read_each();
      } else {
        values.emplace_back(reading.label, reading.read());
      }
      for (const auto& [label, value] : values) {
        families[at->second].metric.push_back(One(label, value, counts));
      }
    }
    return families;
  }

 private:
  static ClientMetric One(const std::string& label, double value, bool counts) {
    ClientMetric metric;
    if (const size_t equals = label.find('='); equals != std::string::npos) {
      metric.label = {{label.substr(0, equals), label.substr(equals + 1)}};
    }
    (counts ? metric.counter.value : metric.gauge.value) = value;
    return metric;
  }

  // Every method has its OK from the start, so that rates are known from its first call.
  MetricFamily Calls() const {
    MetricFamily family = Family("calls_total", "Calls and streams answered, by method and code.",
                                 MetricType::Counter);
    for (const rpc::Gate::Method& method : gate_.methods()) {
      for (size_t code = 0; code < kCodes.size(); ++code) {
        const uint64_t count = method.by_code[code].load(std::memory_order_relaxed);
        if (count == 0 && code != 0) continue;
        ClientMetric metric;
        metric.label = {{"method", std::string(method.access.method)}, {"code", kCodes[code]}};
        metric.counter.value = static_cast<double>(count);
        family.metric.push_back(std::move(metric));
      }
    }
    return family;
  }

  MetricFamily Times() const {
    MetricFamily family = Family(
        "call_seconds", "From a call's arrival to its answer since the start, without streams.",
        MetricType::Summary);
    for (const rpc::Gate::Method& method : gate_.methods()) {
      const uint64_t count = method.micros.count();
      if (count == 0) continue;
      ClientMetric metric;
      metric.label = {{"method", std::string(method.access.method)}};
      metric.summary.sample_count = count;
      metric.summary.sample_sum = method.micros.Mean() * static_cast<double>(count) / 1e6;
      for (const double part : {0.5, 0.9, 0.99, 0.999}) {
        const auto micros = static_cast<double>(method.micros.Percentile(100 * part));
        metric.summary.quantile.push_back({part, micros / 1e6});
      }
      family.metric.push_back(std::move(metric));
    }
    return family;
  }

  MetricFamily Streams(const OfStreams& one) const {
    MetricFamily family = Family(one.name, one.help, one.type);
    for (const rpc::Gate::Method& method : gate_.methods()) {
      if (method.access.effect != rpc::Effect::kWatches) continue;
      ClientMetric metric;
      metric.label = {{"method", std::string(method.access.method)}};
      const double value = one.read(method);
      (one.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
      family.metric.push_back(std::move(metric));
    }
    return family;
  }

  const rpc::Gate& gate_;
  const std::vector<Reading> readings_;
};

}  // namespace

struct Metrics::Parts {
  std::shared_ptr<Page> page;
  std::unique_ptr<prometheus::Exposer> exposer;
};

Metrics::Metrics(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Metrics::~Metrics() = default;

absl::StatusOr<std::unique_ptr<Metrics>> Metrics::Serve(const std::string& address,
                                                        const rpc::Gate& gate,
                                                        std::vector<Reading> readings) {
  auto parts = std::make_unique<Parts>();
  parts->page = std::make_shared<Page>(gate, std::move(readings));
  try {
    parts->exposer = std::make_unique<prometheus::Exposer>(address, 1);
    parts->exposer->RegisterCollectable(parts->page);
  } catch (const std::exception&) {
    return absl::FailedPreconditionError("cannot serve metrics on " + address +
                                         ": is something else listening there?");
  }
  return std::unique_ptr<Metrics>(new Metrics(std::move(parts)));
}

int Metrics::port() const {
  const std::vector<int> ports = parts_->exposer->GetListeningPorts();
  return ports.empty() ? 0 : ports.front();
}

}  // namespace astragal::server
