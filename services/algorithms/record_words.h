// The words of the text format (see game_record_text.cc and RECORDS.md): tags, notations, seconds.
//
// Pure functions.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_RECORD_WORDS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_RECORD_WORDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/string_view.h"
#include "services/algorithms/game_record.h"

namespace astragal::algorithms {

inline constexpr char kKeptMark = '~';  // after an action that keeps the turn open
inline constexpr char kLagMark = '^';   // after an action, before the seconds given back for it

inline absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }

// Header keys whose tag holds a text; all others hold JSON.
bool IsTextKey(std::string_view key);
// rules_version -> RulesVersion, and back.
std::string TagOf(std::string_view key);
std::string KeyOf(std::string_view tag);
bool IsTag(std::string_view key);

std::string Quoted(std::string_view text);
std::string Dump(const Json& json);

// A notation as one word without the characters that mean something in the format, and back.
std::string Word(std::string_view notation);
std::optional<std::string> FromWord(std::string_view word);

// Microseconds as decimal seconds, and back; nullopt for what is none.
std::string Seconds(int64_t micros);
std::optional<int64_t> MicrosOf(std::string_view text);

std::optional<int64_t> WholeNumber(std::string_view text);
std::vector<std::string_view> WordsOf(std::string_view line);

// Points by seat, "1-0"; empty while the record has no end.
std::string ResultOf(const GameRecord& record);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_RECORD_WORDS_H_
