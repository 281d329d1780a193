#include "services/base/trace.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <random>

namespace astragal::base {
namespace {

thread_local const TraceId* current = nullptr;

bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

uint64_t Number(std::string_view hex) {
  uint64_t number = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
  return number;
}

}  // namespace

std::optional<TraceId> TraceId::FromTraceparent(std::string_view header) {
  // Later versions may have more behind the flags; version ff is forbidden.
  constexpr size_t kLength = 2 + 1 + 32 + 1 + 16 + 1 + 2;
  if (header.size() < kLength) return std::nullopt;
  const std::string_view version = header.substr(0, 2);
  const bool good = IsHex(version) && version != "ff" && header[2] == '-' && header[35] == '-' &&
                    header[52] == '-' && IsHex(header.substr(3, 32)) &&
                    IsHex(header.substr(36, 16)) && IsHex(header.substr(53, 2)) &&
                    (version == "00" ? header.size() == kLength
                                     : header.size() == kLength || header[kLength] == '-');
  if (!good) return std::nullopt;
  const TraceId trace{{Number(header.substr(3, 16)), Number(header.substr(19, 16))}};
  if (trace == TraceId() || Number(header.substr(36, 16)) == 0) return std::nullopt;
  return trace;
}

TraceId TraceId::Make() {
  thread_local std::mt19937_64 generator = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return {{generator() | 1, generator()}};
}

std::string TraceId::ToText() const {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(halves[0]),   // NOLINT(google-runtime-int)
                static_cast<unsigned long long>(halves[1]));  // NOLINT(google-runtime-int)
  return text.data();
}

TraceScope::TraceScope(const TraceId& trace) : outer_(current), trace_(trace) { current = &trace_; }

TraceScope::~TraceScope() { current = outer_; }

const TraceId* TraceScope::Current() { return current; }

}  // namespace astragal::base
