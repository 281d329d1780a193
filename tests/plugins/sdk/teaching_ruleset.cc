// The smallest useful ruleset, for the SDK's tests: two runners on a track of ten steps. A stick
// says 1 or 2; the runner then goes that far or stays. Who reaches the end wins.
// The option `trouble` makes it misbehave on purpose, to test what the adapter does about it.
#include <astragal/ruleset.hpp>
#include <stdexcept>

namespace {

namespace sdk = astragal::sdk;

constexpr int kEnd = 10;
constexpr int64_t kStay = 0;
constexpr int64_t kGo = 1;

constexpr const char* kTroubles[] = {"none", "throws", "wrecks"};
constexpr astragal_option kOptions[] = {
    sdk::Choice("trouble", "How the ruleset misbehaves.", kTroubles),
    sdk::Integer("lead", "Steps that blue starts ahead.", 0, 5, 0, ASTRAGAL_OPTION_KEEPS_BALANCE),
};
constexpr astragal_setting kShort[] = {sdk::Setting(1, 5)};
constexpr astragal_preset kPresets[] = {sdk::Standard("The whole track."),
                                        sdk::Preset("short", "Blue starts half way.", kShort)};
constexpr uint32_t kWeights[] = {3, 1};
constexpr const char* kLabels[] = {"one", "two"};
constexpr astragal_throw_kind kThrows[] = {
    sdk::ThrowKind("stick", "A stick that lies flat or not.", kWeights, kLabels)};
constexpr const char* kSeats[] = {"red", "blue"};
constexpr const char* kPieces[] = {"runner"};

struct Track {
  uint8_t at[2];
  uint8_t mover;
  uint8_t stick;  // 0: not thrown yet
  uint8_t trouble;
  uint8_t lead;

  static astragal_about About() {
    astragal_about about{};
    about.rules_version = 1;
    about.id = "teaching";
    about.name = "Track";
    about.summary = "Two runners, one stick.";
    about.notation = "'go' or 'stay'.";
    about.min_seats = about.max_seats = 2;
    about.seat_names = kSeats;
    sdk::SetList(about.options, about.option_count, kOptions);
    sdk::SetList(about.presets, about.preset_count, kPresets);
    sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrows);
    sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieces);
    about.max_actions = 2;
    about.max_effects = 4;
    about.max_places = kEnd + 1;
    about.max_pieces = 2;
    about.max_game_actions = 10000;
    about.first_player_option = -1;
    return about;
  }

  bool Start(std::span<const int64_t> options, sdk::Error&) {
    trouble = static_cast<uint8_t>(options[0]);
    lead = static_cast<uint8_t>(options[1]);
    at[1] = lead;
    return true;
  }

  bool Check(sdk::Error& error) const {
    for (const uint8_t step : at) {
      if (step > kEnd) return error.Refuse("at", "A runner stands on 0 to ", kEnd, ".");
    }
    if (mover > 1 || stick > 2 || trouble > 2 || lead > 5) {
      return error.Refuse("", "These bytes are no position.");
    }
    return true;
  }

  bool IsOver() const { return at[0] == kEnd || at[1] == kEnd; }
  int32_t Actor() const {
    if (IsOver()) return ASTRAGAL_OVER;
    return stick == 0 ? ASTRAGAL_CHANCE : mover;
  }
  void Options(std::span<int64_t> out) const {
    out[0] = trouble;
    out[1] = lead;
  }
  void Actions(sdk::Sink<int64_t>& out) const {
    if (Actor() < 0) return;
    if (trouble == 1) throw std::runtime_error("on purpose");
    out.Add(kStay);
    out.Add(kGo);
  }
  int32_t Chances() const { return Actor() == ASTRAGAL_CHANCE ? 0 : -1; }

  bool Apply(int32_t actor, int64_t action, sdk::Error& error) {
    if (actor == ASTRAGAL_CHANCE) {
      stick = static_cast<uint8_t>(ASTRAGAL_CHANCE_OUTCOME(action) + 1);
      return true;
    }
    at[mover] = static_cast<uint8_t>(at[mover] + (action == kGo ? stick : 0));
    if (at[mover] > kEnd) at[mover] = kEnd;
    mover ^= 1;
    stick = 0;
    if (trouble == 1) throw std::runtime_error("on purpose");
    if (trouble == 2) return error.Fault("on purpose");
    if (action > kGo) return error.Refuse("", "There is no action ", action, ".");
    return true;
  }

  void Result(std::span<astragal_seat_result> out) const {
    if (!IsOver()) return;
    for (size_t seat = 0; seat < 2; ++seat) {
      out[seat].place = at[seat] == kEnd ? 1 : 2;
      out[seat].points = at[seat] == kEnd ? 1 : 0;
    }
  }
  bool Concession(int32_t, astragal_concession& out) const {
    out.fewest = out.most = 1;
    return !IsOver();
  }
  void Format(int32_t, int64_t action, sdk::TextSink& out) const {
    if (action == kStay) out.Put("stay");
    if (action == kGo) out.Put("go");
  }
  bool Parse(int32_t, std::string_view text, int64_t& action, sdk::Error& error) const {
    constexpr const char* kWords[] = {"stay", "go"};
    action = sdk::IndexOf(kWords, text);
    return action >= 0 || error.Refuse("action", "Type 'go' or 'stay'.");
  }
  void FormatPosition(sdk::TextSink& out) const {
    out.Put(at[0]).Put(' ').Put(at[1]).Put(' ').Put(kSeats[mover]).Put(' ').Put(stick);
    out.Put(' ').Put(trouble).Put(' ').Put(lead);
  }
  bool ParsePosition(std::string_view text, sdk::Error& error) {
    sdk::Reader reader(text);
    uint8_t* const numbers[] = {&at[0], &at[1]};
    for (uint8_t* number : numbers) {
      reader.SkipSpaces();
      if (!reader.TakeSmall(0, 255, *number)) return error.Refuse("at", "A number is missing.");
    }
    const int seat = sdk::IndexOf(kSeats, reader.TakeWord());
    if (seat < 0) return error.Refuse("mover", "Who moves is red or blue.");
    mover = static_cast<uint8_t>(seat);
    for (uint8_t* number : {&stick, &trouble, &lead}) {
      reader.SkipSpaces();
      if (!reader.TakeSmall(0, 255, *number)) return error.Refuse("stick", "A number is missing.");
    }
    return reader.AtEnd() || error.Refuse("", "There is more than a position here.");
  }
  void Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const {
    if (actor == ASTRAGAL_CHANCE) {
      out.Add({0, ASTRAGAL_EFFECT_THROW, mover, -1, -1, -1, ASTRAGAL_CHANCE_OUTCOME(action) + 1});
      return;
    }
    const int to = at[mover] + (action == kGo ? stick : 0);
    out.Add({0, ASTRAGAL_EFFECT_MOVE, mover, 0, at[mover], to > kEnd ? kEnd : to, 0});
  }
  void Places(sdk::Sink<astragal_place>& out) const {
    for (int step = 0; step <= kEnd; ++step) {
      astragal_place place{0, step, step * 1000, 0, 1000, 1000, ASTRAGAL_SHAPE_CIRCLE,
                           0, -1,   0,           {}};
      out.Add(place);
    }
  }
  void Pieces(sdk::Sink<astragal_piece>& out) const {
    for (int seat = 0; seat < 2; ++seat) out.Add({0, at[seat], seat, 0, 1, 0});
  }
  void Text(sdk::TextSink& out) const {
    for (int seat = 0; seat < 2; ++seat) {
      out.Put(kSeats[seat][0]).Put(' ').Repeat('.', at[seat]).Put('o');
      out.Repeat('.', kEnd - at[seat]).Put('\n');
    }
  }
};

}  // namespace

ASTRAGAL_RULESET(Track);
