// A whole ruleset in little: two seats, two pieces each, one track of 4 to 12 cells.
//
// Each turn throws three sticks of 1, 2 or 3. A piece enters from the hand on the cell thrown or
// moves on by the throw; from the last cell on it is off. Landing on a piece of the other seat
// sends that back to its hand; a cell with an own piece is closed. With stakes, a capture costs the
// captured seat one coin to the pot as long as it has one, and the winner takes the pot. Nothing
// legal: the turn passes. Both pieces off wins, 2 points when the other has none off; after 200
// turns it is a draw.
#include "tests/plugins/host/odd/tiny.h"

#include <algorithm>
#include <array>
#include <astragal/ruleset.hpp>

#ifndef TINY_ID
#define TINY_ID "tiny"
#endif
#ifndef TINY_RULES_VERSION
#define TINY_RULES_VERSION 1
#endif
#ifndef TINY_COINS
#define TINY_COINS 5
#endif
#ifndef TINY_SUMMARY
#define TINY_SUMMARY "Two pieces each run along one track."
#endif

namespace {

namespace sdk = astragal::sdk;

constexpr int kMaxTurns = 200;
constexpr int kMaxLength = 12;

constexpr const char* kSeatNames[] = {"white", "black"};
constexpr const char* kStakes[] = {"none", "coins"};
constexpr const char* kPieceKinds[] = {"runner"};
constexpr uint32_t kWeights[] = {1, 2, 1};
constexpr const char* kLabels[] = {"1", "2", "3"};
constexpr int64_t kFirstValues[] = {0, 1};
constexpr astragal_option kOptions[] = {
    sdk::Integer("length", "Cells of the track.", 4, kMaxLength, 6),
    sdk::Choice("stakes", "What a capture costs.", kStakes, 0, ASTRAGAL_OPTION_KEEPS_BALANCE),
    sdk::Choice("first", "Who begins.", kSeatNames),
};
constexpr astragal_setting kLong[] = {sdk::Setting(0, 12), sdk::Setting(1, 1)};
constexpr astragal_preset kPresets[] = {
    sdk::Standard("Six cells, nothing at stake."),
    sdk::Preset("long", "Twelve cells and coins.", kLong),
};
constexpr astragal_throw_kind kThrowKinds[] = {
    sdk::ThrowKind("sticks", "Three sticks.", kWeights, kLabels),
};

}  // namespace

// Not in a namespace: plugins with a type of the same name must not disturb each other.
struct Position {
  uint8_t length;
  uint8_t stakes;
  uint8_t first;
  int8_t actor;
  uint8_t thrown;
  uint8_t turns;
  uint8_t pieces[2][2];
  uint8_t coins[2];
  uint8_t pot;
  uint8_t mover;
  uint8_t zero[2];

  static astragal_about About() {
    astragal_about about{};
    about.rules_version = TINY_RULES_VERSION;
    about.flags = ASTRAGAL_RULESET_HAS_DRAWS;
    about.id = TINY_ID;
    about.name = "Tiny race";
    about.summary = TINY_SUMMARY;
    about.notation = "The cell a piece comes from, \"hand\" for the hand: hand, 3.";
    about.min_seats = 2;
    about.max_seats = 2;
    about.seat_names = kSeatNames;
    sdk::SetList(about.options, about.option_count, kOptions);
    sdk::SetList(about.presets, about.preset_count, kPresets);
    sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrowKinds);
    sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieceKinds);
    about.max_actions = 3;
    about.max_effects = 8;
    about.max_places = kMaxLength + 3;
    about.max_pieces = 4;
    about.max_throws = 1;
    about.max_counters = 4;
    about.max_game_actions = 2 * kMaxTurns + 2;
    about.first_player_option = 2;
    about.first_player_values = kFirstValues;
    return about;
  }

  bool Start(std::span<const int64_t> options, sdk::Error& error) {
    if (options[0] == 12 && options[1] == 0) {
      return error.Refuse("stakes", "Twelve cells are played for coins.");
    }
    *this = Position{};
    length = static_cast<uint8_t>(options[0]);
    stakes = static_cast<uint8_t>(options[1]);
    first = static_cast<uint8_t>(options[2]);
    coins[0] = coins[1] = stakes != 0 ? TINY_COINS : 0;
    mover = first;
    actor = ASTRAGAL_CHANCE;
    return true;
  }

  bool Check(sdk::Error& error) const {
    if (length < 4 || length > kMaxLength || stakes > 1 || first > 1) {
      return error.Refuse("options", "The options are out of bounds.");
    }
    if (length == 12 && stakes == 0) return error.Refuse("options", "These options do not fit.");
    if (coins[0] + coins[1] + pot != 2 * TINY_COINS * stakes) {
      return error.Refuse("coins", "Coins are missing.");
    }
    for (const auto& own : pieces) {
      if (own[0] > own[1] || own[1] > length || (own[0] == own[1] && OnTrack(own[0]))) {
        return error.Refuse("pieces", "The pieces do not stand right.");
      }
      for (const uint8_t cell : own) {
        if (&own == &pieces[0] && OnTrack(cell) && Has(1, cell)) {
          return error.Refuse("pieces", "Both seats stand on one cell.");
        }
      }
    }
    if (zero[0] != 0 || zero[1] != 0 || mover > 1 || turns > kMaxTurns || thrown > 3) {
      return error.Refuse("", "The bytes are no position.");
    }
    return CheckTurn(error);
  }

  int32_t Actor() const { return actor; }

  void Options(std::span<int64_t> out) const {
    out[0] = length;
    out[1] = stakes;
    out[2] = first;
  }

  void Actions(sdk::Sink<int64_t>& out) const {
    if (actor < 0) return;
    for (int64_t from = 0; from < length; ++from) {
      if (IsLegal(from)) out.Add(from);
    }
  }

  int32_t Chances() const { return actor == ASTRAGAL_CHANCE ? 0 : -1; }

  bool Apply(int32_t by, int64_t action, sdk::Error& error) {
    sdk::Sink<astragal_effect> unseen(nullptr, 0);
    if (by != ASTRAGAL_CHANCE && (action < 0 || action >= length || !IsLegal(action))) {
      return error.Refuse("", "No piece can move from there with a ", thrown, ".");
    }
    Do(by, action, unseen);
    return true;
  }

  void Effects(int32_t by, int64_t action, sdk::Sink<astragal_effect>& out) const {
    Position draft = *this;
    draft.Do(by, action, out);
  }

  void Result(std::span<astragal_seat_result> out) const {
    if (actor != ASTRAGAL_OVER) return;
    for (int seat = 0; seat < 2; ++seat) {
      const bool won = Off(seat) == 2;
      const bool lost = Off(1 - seat) == 2;
      out[static_cast<size_t>(seat)].place = lost ? 2 : 1;
      out[static_cast<size_t>(seat)].points = won ? (Off(1 - seat) == 0 ? 2 : 1) : 0;
    }
  }

  bool Concession(int32_t seat, astragal_concession& out) const {
    if (actor == ASTRAGAL_OVER) return false;
    out.fewest = 1;
    out.most = Off(seat) == 0 ? 2 : 1;
    return true;
  }

  void Format(int32_t, int64_t action, sdk::TextSink& out) const {
    if (action == 0) out.Put("hand");
    if (action > 0 && action < kMaxLength) out.Put(action);
  }

  bool Parse(int32_t, std::string_view text, int64_t& action, sdk::Error& error) const {
    if (sdk::SameWord(text, "hand")) return action = 0, true;
    sdk::Reader reader(text);
    if (reader.TakeInteger(1, kMaxLength - 1, action) && reader.AtEnd()) return true;
    return error.Refuse("cell", "Name a cell from 1 to ", kMaxLength - 1, " or the hand.");
  }

  // All bytes in order: plain, but the whole state.
  void FormatPosition(sdk::TextSink& out) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(this);
    for (size_t i = 0; i < sizeof(*this) - sizeof(zero); ++i) {
      out.Put(i == 0 ? "" : " ").Put(static_cast<int>(static_cast<int8_t>(bytes[i])));
    }
  }

  bool ParsePosition(std::string_view text, sdk::Error& error) {
    auto* bytes = reinterpret_cast<uint8_t*>(this);
    sdk::Reader reader(text);
    for (size_t i = 0; i < sizeof(*this) - sizeof(zero); ++i) {
      int8_t value = 0;
      reader.SkipSpaces();
      if (!reader.TakeSmall(-128, 127, value))
        return error.Refuse("position", "A number is missing.");
      bytes[i] = static_cast<uint8_t>(value);
    }
    return reader.AtEnd() || error.Refuse("position", "There is something at the end.");
  }

  void Places(sdk::Sink<astragal_place>& out) const {
    for (int32_t cell = 1; cell < length; ++cell) AddPlace(out, cell, cell * 1000, 0, -1);
    for (int32_t seat = 0; seat < 2; ++seat) {
      AddPlace(out, HandOf(seat), 0, 1000 - 2000 * seat, seat);
      AddPlace(out, OffOf(seat), length * 1000, 1000 - 2000 * seat, seat);
    }
  }

  void Pieces(sdk::Sink<astragal_piece>& out) const {
    for (int32_t cell = 1; cell < length; ++cell) {
      for (int32_t seat = 0; seat < 2; ++seat) {
        if (Has(seat, static_cast<uint8_t>(cell))) AddPiece(out, cell, seat, 1);
      }
    }
    for (int32_t seat = 0; seat < 2; ++seat) {
      AddPiece(out, HandOf(seat), seat, (pieces[seat][0] == 0) + (pieces[seat][1] == 0));
      AddPiece(out, OffOf(seat), seat, Off(seat));
    }
  }

  void Throws(sdk::Sink<astragal_throw>& out) const {
    if (actor >= 0) out.Add({0, actor, thrown, 0, 0});
  }

  void Counters(sdk::Sink<astragal_counter>& out) const {
    if (stakes == 0) return;
    AddCounter(out, 0, coins[0], "coins");
    AddCounter(out, 1, coins[1], "coins");
    AddCounter(out, -1, pot, "pot");
  }

  void Text(sdk::TextSink& out) const {
    for (int cell = 1; cell < length; ++cell) {
      out.Put(Has(0, static_cast<uint8_t>(cell))   ? 'w'
              : Has(1, static_cast<uint8_t>(cell)) ? 'b'
                                                   : '.');
    }
    out.Put("\nwhite off ").Put(Off(0)).Put(", black off ").Put(Off(1)).Put("\n");
  }

  int32_t Evaluate(int32_t seat) const {
    if (actor == ASTRAGAL_OVER) return Off(seat) == 2 ? 1000 : Off(1 - seat) == 2 ? 0 : 500;
    const int lead = Pips(1 - seat) - Pips(seat);
    return 500 + 500 * lead / (2 * kMaxLength);
  }

  Position Mirrored() const {
    Position other = *this;
    std::swap(other.pieces[0], other.pieces[1]);
    std::swap(other.coins[0], other.coins[1]);
    other.first = static_cast<uint8_t>(1 - first);
    other.mover = static_cast<uint8_t>(1 - mover);
    if (actor >= 0) other.actor = static_cast<int8_t>(1 - actor);
    return other;
  }
  int32_t MirrorSeat(int32_t seat) const { return seat < 0 ? seat : 1 - seat; }
  int64_t MirrorAction(int32_t, int64_t action) const { return action; }

 private:
  static int32_t HandOf(int32_t seat) { return kMaxLength + 2 * seat; }
  static int32_t OffOf(int32_t seat) { return kMaxLength + 1 + 2 * seat; }
  int32_t PlaceOf(int32_t seat, int cell) const {
    return cell == 0 ? HandOf(seat) : cell == length ? OffOf(seat) : cell;
  }

  static void AddPlace(sdk::Sink<astragal_place>& out, int32_t id, int32_t x, int32_t y,
                       int32_t seat) {
    astragal_place place{};
    place.id = id;
    place.x = x;
    place.y = y;
    place.width = place.height = 1000;
    place.shape = seat < 0 ? ASTRAGAL_SHAPE_SQUARE : ASTRAGAL_SHAPE_TRAY;
    place.seat = seat;
    out.Add(place);
  }
  static void AddPiece(sdk::Sink<astragal_piece>& out, int32_t place, int32_t seat, int32_t count) {
    if (count > 0) out.Add({0, place, seat, 0, count, 0});
  }
  static void AddCounter(sdk::Sink<astragal_counter>& out, int32_t seat, int64_t value,
                         std::string_view name) {
    astragal_counter counter{};
    counter.seat = seat;
    counter.value = value;
    sdk::SetField(counter.name, name);
    out.Add(counter);
  }
  static void Tell(sdk::Sink<astragal_effect>& out, uint32_t kind, int32_t seat, int32_t from,
                   int32_t to, int64_t amount) {
    const bool moves = kind <= ASTRAGAL_EFFECT_BEAR_OFF;
    out.Add({0, kind, seat, moves ? 0 : -1, from, to, amount});
  }

  bool OnTrack(uint8_t cell) const { return cell > 0 && cell < length; }
  bool Has(int32_t seat, uint8_t cell) const {
    return pieces[seat][0] == cell || pieces[seat][1] == cell;
  }
  int32_t Off(int32_t seat) const {
    return (pieces[seat][0] == length) + (pieces[seat][1] == length);
  }
  int Pips(int32_t seat) const { return 2 * length - pieces[seat][0] - pieces[seat][1]; }
  uint8_t Target(int64_t from) const {
    return static_cast<uint8_t>(std::min<int64_t>(from + thrown, length));
  }
  bool IsLegal(int64_t from) const {
    if (!Has(mover, static_cast<uint8_t>(from))) return false;
    return !OnTrack(Target(from)) || !Has(mover, Target(from));
  }
  bool CanMove() const {
    for (int64_t from = 0; from < length; ++from) {
      if (IsLegal(from)) return true;
    }
    return false;
  }

  bool CheckTurn(sdk::Error& error) const {
    const bool over = Off(0) == 2 || Off(1) == 2 || turns == kMaxTurns;
    const bool fits = over          ? actor == ASTRAGAL_OVER && thrown == 0
                      : thrown == 0 ? actor == ASTRAGAL_CHANCE
                                    : actor == mover && CanMove();
    if (!fits || (Off(0) == 2 && Off(1) == 2)) {
      return error.Refuse("actor", "It cannot be this seat's turn.");
    }
    if (pot != 0 && over && turns != kMaxTurns)
      return error.Refuse("pot", "The pot was not taken.");
    return true;
  }

  void Do(int32_t by, int64_t action, sdk::Sink<astragal_effect>& out) {
    if (by == ASTRAGAL_CHANCE) {
      thrown = static_cast<uint8_t>(ASTRAGAL_CHANCE_OUTCOME(action) + 1);
      Tell(out, ASTRAGAL_EFFECT_THROW, mover, -1, -1, thrown);
      actor = static_cast<int8_t>(mover);
      if (CanMove()) return;
      Tell(out, ASTRAGAL_EFFECT_PASS, mover, -1, -1, 0);
      return EndTurn(out);
    }
    Move(action, out);
    EndTurn(out);
  }

  void Move(int64_t from, sdk::Sink<astragal_effect>& out) {
    const int32_t seat = mover;
    const uint8_t to = Target(from);
    auto& own = pieces[seat];
    own[own[0] == from ? 0 : 1] = to;
    std::sort(own, own + 2);
    Tell(out,
         to == length ? ASTRAGAL_EFFECT_BEAR_OFF
         : from == 0  ? ASTRAGAL_EFFECT_ENTER
                      : ASTRAGAL_EFFECT_MOVE,
         seat, PlaceOf(seat, static_cast<int>(from)), PlaceOf(seat, to), 0);
    const int32_t other = 1 - seat;
    if (!OnTrack(to) || !Has(other, to)) return;
    auto& theirs = pieces[other];
    theirs[theirs[0] == to ? 0 : 1] = 0;
    std::sort(theirs, theirs + 2);
    Tell(out, ASTRAGAL_EFFECT_CAPTURE, other, to, HandOf(other), 0);
    if (coins[other] == 0) return;
    --coins[other];
    ++pot;
    Tell(out, ASTRAGAL_EFFECT_PAY, other, -1, -1, 1);
  }

  void EndTurn(sdk::Sink<astragal_effect>& out) {
    thrown = 0;
    ++turns;
    const int32_t seat = mover;
    mover = static_cast<uint8_t>(1 - mover);
    const bool won = Off(seat) == 2;
    actor = won || turns == kMaxTurns ? ASTRAGAL_OVER : ASTRAGAL_CHANCE;
    if (won && pot > 0) {
      Tell(out, ASTRAGAL_EFFECT_TAKE, seat, -1, -1, pot);
      coins[seat] = static_cast<uint8_t>(coins[seat] + pot);
      pot = 0;
    }
    if (won) Tell(out, ASTRAGAL_EFFECT_FINISH, seat, -1, -1, 1);
    if (actor == ASTRAGAL_CHANCE) Tell(out, ASTRAGAL_EFFECT_TURN, mover, -1, -1, 0);
  }
};

static_assert(astragal::sdk::IsRuleset<Position>);
static_assert(sizeof(Position) == kTinySize);

const astragal_ruleset* TinyTable() { return astragal::sdk::Adapter<Position>::Table(); }
