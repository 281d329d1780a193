// The one id that a request has in every log line and error: the trace id of W3C Trace Context
// (https://www.w3.org/TR/trace-context/, section 3.2), the caller's or a new one.
#ifndef ASTRAGAL_SERVICES_BASE_TRACE_H_
#define ASTRAGAL_SERVICES_BASE_TRACE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace astragal::base {

struct TraceId {
  std::array<uint64_t, 2> halves{};  // not both 0

  // Of a header "00-TRACE-PARENT-FLAGS" in lower-case hexadecimal digits; nullopt: it is none.
  static std::optional<TraceId> FromTraceparent(std::string_view header);
  // For a request that brought none. Unique, not secret. Thread-safe.
  static TraceId Make();

  std::string ToText() const;  // 32 hexadecimal digits
  friend bool operator==(const TraceId&, const TraceId&) = default;
};

// While it lives, this thread works for a request: its log lines say which.
class TraceScope {
 public:
  explicit TraceScope(const TraceId& trace);
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

  // The request that this thread works for; null: none.
  static const TraceId* Current();

 private:
  const TraceId* const outer_;
  const TraceId trace_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_TRACE_H_
