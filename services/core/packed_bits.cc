#include "services/core/packed_bits.h"

#include <bit>
#include <utility>

namespace astragal::core {

void PutVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

int RiceBits(uint64_t mean) { return mean < 2 ? 0 : static_cast<int>(std::bit_width(mean)) - 1; }

void BitWriter::Put(uint64_t value, int count) {
  for (int bit = count - 1; bit >= 0; --bit) {
    if (free_ == 0) {
      out_.push_back('\0');
      free_ = 8;
    }
    --free_;
    if ((value >> bit & 1) != 0) out_.back() = static_cast<char>(out_.back() | 1 << free_);
  }
}

void BitWriter::PutRice(uint64_t value, int bits) {
  const uint64_t ones = value >> bits;
  if (ones >= kMostOnes) {
    Put(~uint64_t{0}, kMostOnes);
    Put(value, 64);
    return;
  }
  Put(~uint64_t{0}, static_cast<int>(ones));
  Put(0, 1);
  Put(value, bits);
}

std::string BitWriter::Take() {
  free_ = 0;
  return std::move(out_);
}

uint64_t PackedReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::string_view byte = Bytes(1);
    if (byte.empty()) return 0;
    value |= static_cast<uint64_t>(byte[0] & 0x7F) << shift;
    if ((byte[0] & 0x80) == 0) return value;
  }
  ok_ = false;
  return 0;
}

std::string_view PackedReader::Bytes(uint64_t count) {
  if (count > rest_.size()) {
    ok_ = false;
    rest_ = {};
  }
  if (!ok_) return {};
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

uint64_t PackedReader::Bits(int count) {
  uint64_t value = 0;
  for (; count > 0 && ok_; --count) {
    if (left_ == 0) {
      const std::string_view byte = Bytes(1);
      if (byte.empty()) return 0;
      byte_ = static_cast<uint8_t>(byte[0]);
      left_ = 8;
    }
    --left_;
    value = value << 1 | (byte_ >> left_ & 1);
  }
  return value;
}

uint64_t PackedReader::Rice(int bits) {
  uint64_t ones = 0;
  while (ones < kMostOnes && Bits(1) == 1) ++ones;
  if (ones == kMostOnes) return Bits(64);
  return ones << bits | Bits(bits);
}

}  // namespace astragal::core
