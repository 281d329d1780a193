// The state of one game as its ruleset wrote it: a block of bytes of the size the ruleset declares.
//
// A Position owns its bytes and is a plain value: copies are memcpy, equality is memcmp, hashing
// works on the bytes. Blocks of up to 128 bytes live inside the object, larger ones on the heap.
// The bytes are aligned to 8, as the ruleset ABI asks. Like any value it may be read by many
// threads at once and written by one alone. Which ruleset it belongs to is the holder's business: a
// Position that a ruleset did not make or check (Ruleset::Start, FromBytes, ParsePosition) must not
// be given to it.
#ifndef ASTRAGAL_PLUGINS_HOST_POSITION_H_
#define ASTRAGAL_PLUGINS_HOST_POSITION_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"

namespace astragal::host {

class Position {
 public:
  static constexpr size_t kInlineBytes = 128;

  // The empty position: of no ruleset, equal only to another empty one.
  Position() = default;

  // `size` zero bytes.
  explicit Position(size_t size) : size_(static_cast<uint32_t>(size)) {
    if (OnHeap()) heap_ = std::make_unique<uint64_t[]>((size + 7) / 8);
    std::memset(data(), 0, size_);
  }

  explicit Position(absl::string_view bytes) : Position(bytes.size()) {
    if (!bytes.empty()) std::memcpy(data(), bytes.data(), size_);
  }

  Position(const Position& other) : size_(other.size_) {
    if (OnHeap()) heap_ = std::make_unique<uint64_t[]>((size_ + 7) / 8);
    std::memcpy(data(), other.data(), size_);
  }

  Position(Position&& other) noexcept : size_(other.size_), heap_(std::move(other.heap_)) {
    if (!OnHeap()) std::memcpy(block_, other.block_, size_);
    other.size_ = 0;
  }

  Position& operator=(const Position& other) {
    if (this == &other) return *this;
    if (size_ != other.size_) return *this = Position(other);
    std::memcpy(data(), other.data(), size_);
    return *this;
  }

  Position& operator=(Position&& other) noexcept {
    if (this == &other) return *this;
    size_ = other.size_;
    heap_ = std::move(other.heap_);
    if (!OnHeap()) std::memcpy(block_, other.block_, size_);
    other.size_ = 0;
    return *this;
  }

  ~Position() = default;

  const void* data() const { return OnHeap() ? static_cast<const void*>(heap_.get()) : block_; }
  void* data() { return OnHeap() ? static_cast<void*>(heap_.get()) : block_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Valid until the position is changed, moved from or destroyed.
  absl::string_view bytes() const { return {static_cast<const char*>(data()), size_}; }

  friend bool operator==(const Position& a, const Position& b) {
    return a.size_ == b.size_ && std::memcmp(a.data(), b.data(), a.size_) == 0;
  }

  template <typename H>
  friend H AbslHashValue(H state, const Position& position) {
    return H::combine(std::move(state), position.bytes());
  }

 private:
  bool OnHeap() const { return size_ > kInlineBytes; }

  uint32_t size_ = 0;
  std::unique_ptr<uint64_t[]> heap_;
  alignas(8) unsigned char block_[kInlineBytes];  // only the first size_ bytes have a value
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_POSITION_H_
