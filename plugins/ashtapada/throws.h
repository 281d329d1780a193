// A multiset of throws: how many of each of the five scores. Plain bytes, no order.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_THROWS_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_THROWS_H_

#include <cstdint>

namespace astragal::ashtapada {

inline constexpr int kScores = 5;
inline constexpr int kScoreValues[kScores] = {1, 2, 3, 4, 8};
enum Score : uint8_t { kOne = 0, kTwo = 1, kThree = 2, kFour = 3, kEight = 4 };

// A series that has not ended by a 2 or 3 ends at this many throws as it would by a 2.
inline constexpr int kSeriesCap = 64;

struct ThrowSet {
  uint8_t count[kScores];

  constexpr uint8_t& operator[](int score) { return count[score]; }
  constexpr uint8_t operator[](int score) const { return count[score]; }
  friend constexpr bool operator==(const ThrowSet&, const ThrowSet&) = default;

  constexpr int Size() const { return count[0] + count[1] + count[2] + count[3] + count[4]; }
  constexpr int Sum() const {
    return count[0] + 2 * count[1] + 3 * count[2] + 4 * count[3] + 8 * count[4];
  }
  constexpr bool Contains(const ThrowSet& part) const {
    for (int i = 0; i < kScores; ++i) {
      if (part.count[i] > count[i]) return false;
    }
    return true;
  }
  constexpr void Add(const ThrowSet& part) {
    for (int i = 0; i < kScores; ++i) count[i] = static_cast<uint8_t>(count[i] + part.count[i]);
  }
  constexpr void Remove(const ThrowSet& part) {
    for (int i = 0; i < kScores; ++i) count[i] = static_cast<uint8_t>(count[i] - part.count[i]);
  }
  // Number of sub-multisets, the empty one included.
  constexpr int64_t Parts() const {
    int64_t parts = 1;
    for (const uint8_t n : count) parts *= n + 1;
    return parts;
  }
};

constexpr ThrowSet Single(int score) {
  ThrowSet one{};
  one.count[score] = 1;
  return one;
}

// Calls visit(part, sum) for every non-empty sub-multiset with a sum of at most `max_sum`, in
// ascending order of their codes (eights first, ones last); stops and returns true when it does.
template <class Visit>
constexpr bool AnyPart(const ThrowSet& of, int max_sum, Visit&& visit) {
  ThrowSet part{};
  for (int e = 0; e <= of[kEight] && 8 * e <= max_sum; ++e) {
    part[kEight] = static_cast<uint8_t>(e);
    for (int f = 0; f <= of[kFour] && 8 * e + 4 * f <= max_sum; ++f) {
      part[kFour] = static_cast<uint8_t>(f);
      for (int t = 0; t <= of[kThree]; ++t) {
        part[kThree] = static_cast<uint8_t>(t);
        for (int w = 0; w <= of[kTwo]; ++w) {
          part[kTwo] = static_cast<uint8_t>(w);
          const int base = 8 * e + 4 * f + 3 * t + 2 * w;
          for (int o = 0; o <= of[kOne] && base + o <= max_sum; ++o) {
            part[kOne] = static_cast<uint8_t>(o);
            if (base + o > 0 && visit(part, base + o)) return true;
          }
        }
      }
    }
  }
  return false;
}

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_THROWS_H_
