// The numbers of a packed log (packed_log.h): varints, and Rice codes bit by bit.
//
// Values; one thread at a time. Readers answer 0 past the end, and ok() is false then for good.
#ifndef ASTRAGAL_SERVICES_CORE_PACKED_BITS_H_
#define ASTRAGAL_SERVICES_CORE_PACKED_BITS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace astragal::core {

inline constexpr int kMostOnes = 24;  // of a Rice code; see packed_log.h

void PutVarint(uint64_t value, std::string& out);
constexpr uint64_t Zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t Unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

// The bits of a Rice code's rest that make it short for values of this mean.
int RiceBits(uint64_t mean);

class BitWriter {
 public:
  void PutRice(uint64_t value, int bits);
  std::string Take();

 private:
  void Put(uint64_t value, int count);  // highest bit first

  std::string out_;
  int free_ = 0;  // bits of the last byte
};

// Reads a packed log's parts, one after another.
class PackedReader {
 public:
  explicit PackedReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t Varint();
  int64_t Signed() { return Unzigzag(Varint()); }
  std::string_view Bytes(uint64_t count);
  uint64_t Rice(int bits);
  void EndBits() { left_ = 0; }  // what follows begins with a byte

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  uint64_t Bits(int count);

  std::string_view rest_;
  uint8_t byte_ = 0;
  int left_ = 0;  // bits of byte_
  bool ok_ = true;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PACKED_BITS_H_
