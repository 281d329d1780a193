// Reads what people type: notation and position text. Never allocates, never throws, looks at no
// byte beyond the text. Letters of the ASCII alphabet compare without case.
// Thread contract: an object belongs to the call that made it.
#ifndef ASTRAGAL_READER_HPP_
#define ASTRAGAL_READER_HPP_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace astragal::sdk {

constexpr char Lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool IsDigit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool IsSpace(char c) noexcept { return c == ' ' || c == '\t'; }

constexpr bool SameWord(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (Lower(a[i]) != Lower(b[i])) return false;
  }
  return true;
}

class Reader {
 public:
  constexpr explicit Reader(std::string_view text) noexcept : rest_(text) {}

  constexpr void SkipSpaces() noexcept {
    while (!rest_.empty() && IsSpace(rest_.front())) rest_.remove_prefix(1);
  }

  // Skips spaces and says whether anything is left.
  constexpr bool AtEnd() noexcept {
    SkipSpaces();
    return rest_.empty();
  }

  // Takes exactly `word` if it stands here; leaves everything as it was if not.
  constexpr bool Take(std::string_view word) noexcept {
    if (rest_.size() < word.size() || !SameWord(rest_.substr(0, word.size()), word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  constexpr bool Take(char c) noexcept { return Take(std::string_view(&c, 1)); }

  // Takes a decimal integer within [minimum, maximum]; false (and nothing taken) if there is none.
  constexpr bool TakeInteger(int64_t minimum, int64_t maximum, int64_t& value) noexcept {
    size_t at = 0;
    const bool negative = !rest_.empty() && rest_.front() == '-';
    if (negative) ++at;
    const size_t first = at;
    uint64_t number = 0;
    for (; at < rest_.size() && IsDigit(rest_[at]) && at - first < 18; ++at) {
      number = number * 10 + static_cast<uint64_t>(rest_[at] - '0');
    }
    if (at == first || (at < rest_.size() && IsDigit(rest_[at]))) return false;
    const int64_t result = negative ? -static_cast<int64_t>(number) : static_cast<int64_t>(number);
    if (result < minimum || result > maximum) return false;
    value = result;
    rest_.remove_prefix(at);
    return true;
  }
  template <class Integer>
  constexpr bool TakeSmall(int64_t minimum, int64_t maximum, Integer& value) noexcept {
    int64_t wide = 0;
    if (!TakeInteger(minimum, maximum, wide)) return false;
    value = static_cast<Integer>(wide);
    return true;
  }

  // Skips spaces, then takes everything up to the next space; empty at the end.
  constexpr std::string_view TakeWord() noexcept {
    SkipSpaces();
    size_t length = 0;
    while (length < rest_.size() && !IsSpace(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

  constexpr std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
};

// Index of `word` in a list of names, -1 if it is not there.
template <class Names>
constexpr int IndexOf(const Names& names, std::string_view word) noexcept {
  int index = 0;
  for (const auto& name : names) {
    if (SameWord(name, word)) return index;
    ++index;
  }
  return -1;
}

}  // namespace astragal::sdk

#endif  // ASTRAGAL_READER_HPP_
