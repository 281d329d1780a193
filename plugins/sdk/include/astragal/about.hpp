// Builders for the constant data of a ruleset: options, presets, throw kinds. They fill struct_size
// and the counts, take arrays by reference so that a length is never written twice, and keep the
// pointers: give them arrays and literals that live for ever.
#ifndef ASTRAGAL_ABOUT_HPP_
#define ASTRAGAL_ABOUT_HPP_

#include <astragal/ruleset.h>

#include <cstddef>
#include <cstdint>

namespace astragal::sdk {

// An option whose values are names; the default is choices[default_index].
template <size_t N>
constexpr astragal_option Choice(const char* name, const char* description,
                                 const char* const (&choices)[N], int64_t default_index = 0,
                                 uint32_t flags = 0) noexcept {
  static_assert(N >= 1 && N <= ASTRAGAL_MAX_CHOICES);
  astragal_option option{};
  option.struct_size = sizeof(option);
  option.kind = ASTRAGAL_OPTION_CHOICE;
  option.flags = flags;
  option.choice_count = N;
  option.name = name;
  option.description = description;
  option.choices = choices;
  option.maximum = static_cast<int64_t>(N) - 1;
  option.default_value = default_index;
  return option;
}

// An option that is a number within [minimum, maximum].
constexpr astragal_option Integer(const char* name, const char* description, int64_t minimum,
                                  int64_t maximum, int64_t default_value,
                                  uint32_t flags = 0) noexcept {
  astragal_option option{};
  option.struct_size = sizeof(option);
  option.kind = ASTRAGAL_OPTION_INTEGER;
  option.flags = flags;
  option.name = name;
  option.description = description;
  option.minimum = minimum;
  option.maximum = maximum;
  option.default_value = default_value;
  return option;
}

constexpr astragal_setting Setting(uint32_t option, int64_t value) noexcept {
  return {option, 0, value};
}

// The preset that changes nothing; every ruleset's first one.
constexpr astragal_preset Standard(const char* description) noexcept {
  return {sizeof(astragal_preset), 0, "standard", description, nullptr};
}

template <size_t N>
constexpr astragal_preset Preset(const char* name, const char* description,
                                 const astragal_setting (&settings)[N]) noexcept {
  return {sizeof(astragal_preset), N, name, description, settings};
}

// Outcome k has weights[k] and is written labels[k].
template <size_t N>
constexpr astragal_throw_kind ThrowKind(const char* name, const char* description,
                                        const uint32_t (&weights)[N],
                                        const char* const (&labels)[N]) noexcept {
  static_assert(N >= 1 && N <= ASTRAGAL_MAX_OUTCOMES);
  return {sizeof(astragal_throw_kind), N, name, description, weights, labels};
}

// Sets a list and its count together: SetList(about.options, about.option_count, kOptions).
template <class T, size_t N>
constexpr void SetList(const T*& list, uint32_t& count, const T (&entries)[N]) noexcept {
  list = entries;
  count = N;
}

}  // namespace astragal::sdk

#endif  // ASTRAGAL_ABOUT_HPP_
