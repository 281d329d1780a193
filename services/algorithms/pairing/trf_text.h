// Fixed columns of a line of text, counted in characters of UTF-8. For trf.cc and trf_format.cc.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_TEXT_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_TEXT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/algorithms/pairing/crosstable.h"

namespace astragal::algorithms::trf {

// The letters of results, in one table for reading and writing. The first row of an outcome is the
// one that is written.
struct ResultLetter {
  char letter;
  Outcome outcome;
};
inline constexpr ResultLetter kResultLetters[] = {
    {'1', Outcome::kWin},         {'=', Outcome::kDraw},    {'0', Outcome::kLoss},
    {'W', Outcome::kWin},         {'D', Outcome::kDraw},    {'L', Outcome::kLoss},
    {'+', Outcome::kForfeitWin},  {'H', Outcome::kHalfBye}, {'F', Outcome::kFullBye},
    {'-', Outcome::kForfeitLoss}, {'Z', Outcome::kZeroBye}, {'U', Outcome::kPairingBye},
    {' ', Outcome::kNothing},
};

// A line cut into characters, so that columns can be counted. Shares the text it was made from.
class Columns {
 public:
  // nullopt when the text is not UTF-8.
  static std::optional<Columns> Of(std::string_view line);
  // A column for each byte: some programs pad names so.
  static Columns OfBytes(std::string_view line);

  int width() const { return static_cast<int>(starts_.size()) - 1; }
  // Columns from `from` (0 is the first) and at most `count` of them; "" behind the end.
  std::string_view At(int from, int count) const;
  std::string_view From(int from) const;

 private:
  std::string_view line_;
  std::vector<size_t> starts_;  // of each character, and the end
};

// A text of ISO 8859-1, as UTF-8.
std::string FromLatin1(std::string_view text);
// Without the bytes at its end that are no whole character.
std::string_view WithoutBrokenEnd(std::string_view text);
std::string_view Trim(std::string_view text);
std::vector<std::string_view> Words(std::string_view text);
// Digits only, up to 9 of them, with spaces around.
std::optional<int> ParseNumber(std::string_view text);
// "7", "7.5", ".5", with spaces around; at most one decimal.
std::optional<Tenths> ParsePoints(std::string_view text);
std::string FormatPoints(Tenths points);  // "7.5"

}  // namespace astragal::algorithms::trf

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_TEXT_H_
