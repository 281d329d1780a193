// What a ruleset writes into: arrays and text of the caller, and the caller's error.
//
// Nothing here owns memory, allocates or throws. A sink counts everything that is added and stores
// what fits, so that a table function can always return the full count, as the ABI asks.
// Thread contract: an object of this file belongs to the call that made it.
#ifndef ASTRAGAL_SINK_HPP_
#define ASTRAGAL_SINK_HPP_

#include <astragal/ruleset.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace astragal::sdk {

// Fills an array of the caller. Structs of the ABI get their struct_size here.
template <class T>
class Sink {
 public:
  Sink(T* out, uint32_t capacity) noexcept : out_(out), capacity_(capacity) {}

  void Add(T entry) noexcept {
    if constexpr (requires { entry.struct_size; }) entry.struct_size = sizeof(T);
    if (count_ < capacity_) out_[count_] = entry;
    ++count_;
  }

  // Everything that was added, whether it fitted or not.
  uint32_t count() const noexcept { return count_; }

 private:
  T* out_;
  uint32_t capacity_;
  uint32_t count_ = 0;
};

// Fills a text buffer of the caller; never writes a terminating NUL.
class TextSink {
 public:
  TextSink(char* out, uint32_t capacity) noexcept : out_(out), capacity_(capacity) {}

  TextSink& Put(std::string_view text) noexcept {
    for (const char c : text) PutByte(c);
    return *this;
  }
  TextSink& Put(char c) noexcept {
    PutByte(c);
    return *this;
  }
  TextSink& Put(const char* text) noexcept { return Put(std::string_view(text)); }

  template <class Integer>
  requires std::integral<Integer> &&(!std::same_as<Integer, char>)&&(!std::same_as<Integer, bool>)
      TextSink& Put(Integer value) noexcept {
    char digits[24];
    size_t at = sizeof(digits);
    const bool negative = value < 0;
    uint64_t rest = static_cast<uint64_t>(value);
    if (negative) rest = 0 - rest;
    do {
      digits[--at] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (negative) digits[--at] = '-';
    return Put(std::string_view(digits + at, sizeof(digits) - at));
  }

  // `times` copies of one byte.
  TextSink& Repeat(char c, int times) noexcept {
    for (int i = 0; i < times; ++i) PutByte(c);
    return *this;
  }

  // Spaces until the text is `column` bytes long, counted from `start`.
  TextSink& PadTo(uint32_t start, uint32_t column) noexcept {
    while (count_ < start + column) PutByte(' ');
    return *this;
  }

  uint32_t count() const noexcept { return count_; }

 private:
  void PutByte(char c) noexcept {
    if (count_ < capacity_) out_[count_] = c;
    ++count_;
  }

  char* out_;
  uint32_t capacity_;
  uint32_t count_ = 0;
};

// Copies text into a fixed NUL-terminated field, cut at a character's border, rest zero.
template <size_t N>
void SetField(char (&field)[N], std::string_view text) noexcept {
  size_t length = text.size() < N - 1 ? text.size() : N - 1;
  if (length < text.size()) {  // never end inside a UTF-8 character
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  }
  std::memset(field, 0, N);
  std::memcpy(field, text.data(), length);
}

// `text` without a character of UTF-8 that is cut off at its end: people's input is quoted by
// bytes.
constexpr std::string_view WholeCharacters(std::string_view text) noexcept {
  size_t lead = text.size();
  while (lead > 0 && text.size() - lead < 4) {
    const auto byte = static_cast<unsigned char>(text[--lead]);
    if ((byte & 0xC0) == 0x80) continue;
    const size_t length = byte < 0x80 ? 1u : byte < 0xE0 ? 2u : byte < 0xF0 ? 3u : 4u;
    return length > text.size() - lead ? text.substr(0, lead) : text;
  }
  return text;
}

// Why something was refused. Every way to say no returns false, so that a member function ends with
// `return error.Refuse("dice", "A die shows 1 to 6, not ", value);`.
class Error {
 public:
  explicit Error(astragal_error* out) noexcept : out_(out) {}

  // The caller's input is wrong: `field` names the option or the part of the text (may be empty),
  // `parts` (text and integers) make one sentence that a player understands.
  template <class... Parts>
  bool Refuse(std::string_view field, const Parts&... parts) noexcept {
    return Say(ASTRAGAL_REFUSED, field, parts...);
  }

  // This ruleset does not know the operation.
  template <class... Parts>
  bool Unsupported(const Parts&... parts) noexcept {
    return Say(ASTRAGAL_UNSUPPORTED, "", parts...);
  }

  // The ruleset itself is wrong: an invariant does not hold.
  template <class... Parts>
  bool Fault(const Parts&... parts) noexcept {
    return Say(ASTRAGAL_FAULT, "", parts...);
  }

  int32_t code() const noexcept { return code_; }

 private:
  template <class... Parts>
  bool Say(int32_t code, std::string_view field, const Parts&... parts) noexcept {
    code_ = code;
    if (out_ == nullptr || out_->struct_size < sizeof(astragal_error)) return false;
    char message[sizeof(out_->message) * 2];
    TextSink text(message, sizeof(message));
    (PutPart(text, parts), ...);
    const size_t length = text.count() < sizeof(message) ? text.count() : sizeof(message);
    SetField(out_->message, std::string_view(message, length));
    SetField(out_->field, field);
    return false;
  }

  template <class Part>
  static void PutPart(TextSink& text, const Part& part) noexcept {
    if constexpr (std::same_as<Part, std::string_view>) {
      text.Put(WholeCharacters(part));
    } else {
      text.Put(part);
    }
  }

  astragal_error* out_;
  int32_t code_ = ASTRAGAL_OK;
};

}  // namespace astragal::sdk

#endif  // ASTRAGAL_SINK_HPP_
