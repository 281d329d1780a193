// Fixed byte layouts: little-endian writing and reading for whatever is hashed or stored.
// Values; not thread-safe while being written.
#ifndef ASTRAGAL_SERVICES_BASE_BYTES_H_
#define ASTRAGAL_SERVICES_BASE_BYTES_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace astragal::base {

class ByteWriter {
 public:
  template <std::integral T>
  ByteWriter& Put(T value) {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (size_t i = 0; i < sizeof(T); ++i) {
      out_.push_back(static_cast<char>(bits & 0xFF));
      if constexpr (sizeof(T) > 1) bits = static_cast<std::make_unsigned_t<T>>(bits >> 8);
    }
    return *this;
  }
  ByteWriter& Put(std::span<const uint8_t> bytes) {
    out_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return *this;
  }
  ByteWriter& Put(std::string_view bytes) {
    out_.append(bytes);
    return *this;
  }
  const std::string& bytes() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

// Reads what ByteWriter wrote. Reading past the end gives zeros and makes ok() false for good.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <std::integral T>
  T Get() {
    std::make_unsigned_t<T> bits = 0;
    const std::string_view bytes = Take(sizeof(T));
    for (size_t i = 0; i < bytes.size(); ++i) {
      bits = static_cast<std::make_unsigned_t<T>>(
          bits |
          static_cast<std::make_unsigned_t<T>>(
              static_cast<std::make_unsigned_t<T>>(static_cast<uint8_t>(bytes[i])) << (8 * i)));
    }
    return static_cast<T>(bits);
  }
  template <size_t N>
  std::array<uint8_t, N> GetArray() {
    std::array<uint8_t, N> out{};
    const std::string_view bytes = Take(N);
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  std::string_view Take(size_t count) {
    if (rest_.size() < count) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_BYTES_H_
