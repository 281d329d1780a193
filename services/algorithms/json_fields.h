// Reads the fields of one JSON object: wrong and missing ones are told by name, unknown ones are
// kept. The first fault stands; after it every read gives an empty value. Used by one thread; the
// object must outlive it.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_JSON_FIELDS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_JSON_FIELDS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace astragal::algorithms {

// The order of keys is kept.
using Json = nlohmann::ordered_json;

class JsonFields {
 public:
  // Anything but an object is a fault at once.
  explicit JsonFields(const Json& object);

  bool Has(std::string_view key) const;
  std::string Text(std::string_view key);
  // An integer from `least` to `most`.
  int64_t Int(std::string_view key, int64_t least, int64_t most);
  bool Bool(std::string_view key);
  // Hexadecimal digits of `least` to `most` bytes.
  std::string Hex(std::string_view key, size_t least, size_t most);
  template <size_t N>
  std::array<uint8_t, N> Hash(std::string_view key) {
    std::array<uint8_t, N> out{};
    const std::string bytes = Hex(key, N, N);
    if (bytes.size() == N) std::copy(bytes.begin(), bytes.end(), out.begin());
    return out;
  }
  // An array of at most `most` entries; an empty one in place of a fault.
  const Json& Array(std::string_view key, size_t most);
  const Json& Object(std::string_view key);

  // A fault that the caller found in this field.
  void Refuse(std::string_view key, std::string_view why);

  // INVALID_ARGUMENT with the first fault: "KEY why".
  const absl::Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }

  // The keys that nobody has asked for, with their values.
  Json Rest() const;

 private:
  const Json* Find(std::string_view key, std::string_view what, bool (Json::*is)() const noexcept);

  const Json& object_;
  std::set<std::string, std::less<>> known_;
  absl::Status status_;
};

// The bytes of hexadecimal digits (either case); nullopt for anything else.
std::optional<std::string> BytesFromHex(std::string_view hex);

// One JSON text; INVALID_ARGUMENT when it is none.
absl::Status ParseJson(std::string_view text, Json& out);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_JSON_FIELDS_H_
