#include "plugins/host/about_reader.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "plugins/host/refusal.h"
#include "plugins/host/text_check.h"

namespace astragal::host {
namespace {

enum class Form { kName, kChoice, kLine, kParagraph };

bool HasForm(absl::string_view text, Form form) {
  switch (form) {
    case Form::kName:
      return IsName(text);
    case Form::kChoice:  // a name that may begin with a digit or underscore
      return IsName(absl::StrCat("a", text));
    case Form::kLine:
      return IsCleanText(text, Lines::kOne);
    case Form::kParagraph:
      return IsCleanText(text, Lines::kMany);
  }
  return false;
}

// Reads everything in order and keeps the first complaint; after one, what it reads is not used.
class Reader {
 public:
  explicit Reader(const astragal_about& in) : in_(in) {}

  absl::StatusOr<About> Read() {
    ReadHead();
    if (ok()) ReadLimits();
    if (ok()) ReadSeats();
    if (ok()) ReadOptions();
    if (ok()) ReadPresets();
    if (ok()) ReadThrowKinds();
    if (ok()) ReadPieceKinds();
    if (ok()) ReadFirstPlayer();
    if (!ok()) return error_;
    return std::move(out_);
  }

 private:
  bool ok() const { return error_.ok(); }

  void Fail(absl::string_view detail, Refusal refusal = Refusal::kBadAbout) {
    if (ok()) error_ = RefusalError(refusal, detail);
  }

  void Within(absl::string_view what, uint64_t value, uint64_t least, uint64_t most) {
    if (value >= least && value <= most) return;
    Fail(absl::StrCat(what, " is ", value, ", allowed are ", least, " to ", most));
  }

  // False, with a complaint, unless there is an array of an allowed number of entries.
  bool Array(absl::string_view what, const void* entries, uint64_t count, uint64_t least,
             uint64_t most) {
    Within(absl::StrCat("number of ", what), count, least, most);
    if (ok() && count > 0 && entries == nullptr) Fail(absl::StrCat(what, " are null"));
    return ok();
  }

  std::string Text(absl::string_view what, const char* text, Form form,
                   size_t most = ASTRAGAL_MAX_NAME_BYTES) {
    if (text == nullptr) {
      Fail(absl::StrCat(what, " is null"));
      return "";
    }
    const absl::string_view view(text, strnlen(text, most + 1));
    if (view.empty()) Fail(absl::StrCat(what, " is empty"));
    if (view.size() > most) Fail(absl::StrCat(what, " has more than ", most, " bytes"));
    if (!ok()) return "";
    if (!HasForm(view, form)) Fail(absl::StrCat(what, " has characters that are not allowed"));
    return std::string(view);
  }

  std::string Sentence(absl::string_view what, const char* text) {
    return Text(what, text, Form::kLine, ASTRAGAL_MAX_SENTENCE_BYTES);
  }

  std::vector<std::string> Names(absl::string_view what, const char* const* names, uint64_t count,
                                 Form form) {
    std::vector<std::string> list;
    for (uint64_t i = 0; i < count && ok(); ++i) {
      list.push_back(Text(absl::StrCat(what, " ", i), names[i], form));
    }
    Distinct(what, list);
    return list;
  }

  void Distinct(absl::string_view what, const std::vector<std::string>& list) {
    std::set<std::string> seen;
    for (const std::string& name : list) {
      if (!seen.insert(name).second) Fail(absl::StrCat(what, " \"", name, "\" is there twice"));
    }
  }

  template <typename Named>
  void DistinctNames(absl::string_view what, const std::vector<Named>& list) {
    std::vector<std::string> names;
    for (const Named& entry : list) names.push_back(entry.name);
    Distinct(what, names);
  }

  // Entries may be larger than ours when the plugin was built with a later minor version: the first
  // one says how far they lie apart, and all must agree.
  template <typename Entry>
  const Entry* At(absl::string_view what, const Entry* entries, uint32_t i) {
    const uint32_t stride = entries->struct_size;
    if (stride < sizeof(Entry) || stride > 4096 || stride % alignof(Entry) != 0) {
      Fail(absl::StrCat(what, " have struct_size ", stride, ", at least ", sizeof(Entry),
                        " is needed"),
           Refusal::kShortStruct);
      return nullptr;
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(entries) + size_t{stride} * i;
    const auto* entry = reinterpret_cast<const Entry*>(bytes);
    if (entry->struct_size != stride) {
      Fail(absl::StrCat(what, " have different struct_size"), Refusal::kShortStruct);
      return nullptr;
    }
    return entry;
  }

  void ReadHead() {
    if (in_.struct_size < sizeof(astragal_about)) {
      return Fail(absl::StrCat("astragal_about has struct_size ", in_.struct_size, ", at least ",
                               sizeof(astragal_about), " is needed"),
                  Refusal::kShortStruct);
    }
    out_.id = Text("id", in_.id, Form::kName);
    out_.name = Text("name", in_.name, Form::kLine);
    out_.summary = Sentence("summary", in_.summary);
    out_.notation = Text("notation", in_.notation, Form::kParagraph, ASTRAGAL_MAX_TEXT_BYTES);
    Within("rules_version", in_.rules_version, 1, UINT32_MAX);
    out_.rules_version = in_.rules_version;
    out_.has_leave = (in_.flags & ASTRAGAL_RULESET_HAS_LEAVE) != 0;
    out_.has_draws = (in_.flags & ASTRAGAL_RULESET_HAS_DRAWS) != 0;
    out_.winner_starts = (in_.flags & ASTRAGAL_RULESET_WINNER_STARTS) != 0;
  }

  void ReadLimits() {
    Within("position_size", in_.position_size, 1, ASTRAGAL_MAX_POSITION_BYTES);
    Within("max_actions", in_.max_actions, 1, ASTRAGAL_MAX_ACTIONS);
    Within("max_effects", in_.max_effects, 1, ASTRAGAL_MAX_EFFECTS);
    Within("max_places", in_.max_places, 1, ASTRAGAL_MAX_PLACES);
    Within("max_pieces", in_.max_pieces, 1, ASTRAGAL_MAX_PIECES);
    Within("max_throws", in_.max_throws, 0, ASTRAGAL_MAX_THROWS);
    Within("max_counters", in_.max_counters, 0, ASTRAGAL_MAX_COUNTERS);
    Within("max_game_actions", in_.max_game_actions, 1, kMaxGameActions);
    out_.limits = {in_.position_size, in_.max_actions, in_.max_effects,  in_.max_places,
                   in_.max_pieces,    in_.max_throws,  in_.max_counters, in_.max_game_actions};
  }

  void ReadSeats() {
    Within("min_seats", in_.min_seats, 2, ASTRAGAL_MAX_SEATS);
    Within("max_seats", in_.max_seats, in_.min_seats, ASTRAGAL_MAX_SEATS);
    if (!Array("seat_names", in_.seat_names, in_.max_seats, 2, ASTRAGAL_MAX_SEATS)) return;
    out_.min_seats = static_cast<int>(in_.min_seats);
    out_.max_seats = static_cast<int>(in_.max_seats);
    out_.seat_names = Names("seat name", in_.seat_names, in_.max_seats, Form::kName);
  }

  void ReadOptions() {
    if (!Array("options", in_.options, in_.option_count, 0, ASTRAGAL_MAX_OPTIONS)) return;
    uint32_t seat_options = 0;
    for (uint32_t i = 0; i < in_.option_count && ok(); ++i) {
      const astragal_option* option = At("options", in_.options, i);
      if (option != nullptr) ReadOption(*option);
      if (ok() && out_.options.back().is_seats) ++seat_options;
    }
    DistinctNames("option", out_.options);
    if (seat_options > 1) Fail("more than one option says how many seats there are");
    if (seat_options == 0 && out_.min_seats != out_.max_seats) {
      Fail("min_seats and max_seats differ and no option says how many seats there are");
    }
  }

  void ReadOption(const astragal_option& in) {
    Option option;
    option.name = Text("option name", in.name, Form::kName);
    const std::string what = absl::StrCat("option ", option.name);
    option.description = Sentence(what + " description", in.description);
    Within(what + " kind", in.kind, ASTRAGAL_OPTION_CHOICE, ASTRAGAL_OPTION_INTEGER);
    option.is_choice = in.kind == ASTRAGAL_OPTION_CHOICE;
    option.keeps_balance = (in.flags & ASTRAGAL_OPTION_KEEPS_BALANCE) != 0;
    option.is_seats = (in.flags & ASTRAGAL_OPTION_SEATS) != 0;
    option.minimum = in.minimum;
    option.maximum = in.maximum;
    option.default_value = in.default_value;
    if (option.is_choice &&
        Array(what + " choices", in.choices, in.choice_count, 1, ASTRAGAL_MAX_CHOICES)) {
      option.choices = Names(what + " choice", in.choices, in.choice_count, Form::kChoice);
      if (in.minimum != 0 || in.maximum != static_cast<int64_t>(in.choice_count) - 1) {
        Fail(what + " must go from 0 to its number of choices less one");
      }
    }
    if (in.minimum > in.default_value || in.default_value > in.maximum) {
      Fail(what + " has a default outside of its bounds");
    }
    if (option.is_seats &&
        (option.is_choice || in.minimum != out_.min_seats || in.maximum != out_.max_seats)) {
      Fail(what + " says how many seats there are: an integer from min_seats to max_seats");
    }
    out_.options.push_back(std::move(option));
  }

  bool InBounds(uint32_t option, int64_t value) const {
    return value >= out_.options[option].minimum && value <= out_.options[option].maximum;
  }

  void ReadPresets() {
    if (!Array("presets", in_.presets, in_.preset_count, 1, ASTRAGAL_MAX_PRESETS)) return;
    for (uint32_t i = 0; i < in_.preset_count && ok(); ++i) {
      const astragal_preset* preset = At("presets", in_.presets, i);
      if (preset != nullptr) ReadPreset(*preset);
    }
    DistinctNames("preset", out_.presets);
    if (!ok()) return;
    for (uint32_t i = 0; i < in_.option_count; ++i) {
      if (out_.presets[0].values[i] != out_.options[i].default_value) {
        Fail("the first preset must have all defaults");
      }
    }
    if (out_.presets[0].name != "standard") Fail("the first preset must be named \"standard\"");
  }

  void ReadPreset(const astragal_preset& in) {
    Preset preset;
    preset.name = Text("preset name", in.name, Form::kName);
    const std::string what = absl::StrCat("preset ", preset.name);
    preset.description = Sentence(what + " description", in.description);
    for (const Option& option : out_.options) preset.values.push_back(option.default_value);
    if (!Array(what + " settings", in.settings, in.setting_count, 0, in_.option_count)) return;
    std::set<uint32_t> seen;
    for (uint32_t i = 0; i < in.setting_count; ++i) {
      const astragal_setting& setting = in.settings[i];
      if (setting.option >= in_.option_count || !InBounds(setting.option, setting.value) ||
          !seen.insert(setting.option).second) {
        return Fail(absl::StrCat(what, " has a bad setting, number ", i));
      }
      preset.values[setting.option] = setting.value;
    }
    out_.presets.push_back(std::move(preset));
  }

  void ReadThrowKinds() {
    if (!Array("throw kinds", in_.throw_kinds, in_.throw_kind_count, 0, ASTRAGAL_MAX_THROW_KINDS)) {
      return;
    }
    for (uint32_t i = 0; i < in_.throw_kind_count && ok(); ++i) {
      const astragal_throw_kind* kind = At("throw kinds", in_.throw_kinds, i);
      if (kind != nullptr) ReadThrowKind(*kind);
    }
    DistinctNames("throw kind", out_.throw_kinds);
  }

  void ReadThrowKind(const astragal_throw_kind& in) {
    ThrowKind kind;
    kind.name = Text("throw kind name", in.name, Form::kName);
    const std::string what = absl::StrCat("throw kind ", kind.name);
    kind.description = Sentence(what + " description", in.description);
    if (!Array(what + " outcomes", in.weights, in.outcome_count, 1, ASTRAGAL_MAX_OUTCOMES) ||
        !Array(what + " labels", in.labels, in.outcome_count, 1, ASTRAGAL_MAX_OUTCOMES)) {
      return;
    }
    kind.labels = Names(what + " label", in.labels, in.outcome_count, Form::kLine);
    kind.weights.assign(in.weights, in.weights + in.outcome_count);
    uint64_t total = 0;
    for (const uint32_t weight : kind.weights) {
      Within(what + " weight", weight, 1, ASTRAGAL_MAX_TOTAL_WEIGHT);
      total += weight;
    }
    Within(what + " total weight", total, 1, ASTRAGAL_MAX_TOTAL_WEIGHT);
    kind.total_weight = static_cast<uint32_t>(total);
    out_.throw_kinds.push_back(std::move(kind));
  }

  void ReadPieceKinds() {
    if (!Array("piece kinds", in_.piece_kinds, in_.piece_kind_count, 1, kMaxPieceKinds)) return;
    out_.piece_kinds = Names("piece kind", in_.piece_kinds, in_.piece_kind_count, Form::kLine);
  }

  void ReadFirstPlayer() {
    if (in_.first_player_option < 0) return;
    const auto option = static_cast<uint32_t>(in_.first_player_option);
    if (option >= in_.option_count || in_.first_player_values == nullptr) {
      return Fail("first_player_option is no option, or has no values");
    }
    FirstPlayer first{option, {}};
    for (uint32_t seat = 0; seat < in_.max_seats; ++seat) {
      const int64_t value = in_.first_player_values[seat];
      if (!InBounds(option, value))
        return Fail("first_player_values are out of the option's bounds");
      if (std::count(first.values.begin(), first.values.end(), value) > 0) {
        return Fail("first_player_values are not distinct");
      }
      first.values.push_back(value);
    }
    out_.first_player = std::move(first);
  }

  const astragal_about& in_;
  About out_;
  absl::Status error_;
};

}  // namespace

absl::StatusOr<About> ReadAbout(const astragal_about& about) { return Reader(about).Read(); }

}  // namespace astragal::host
