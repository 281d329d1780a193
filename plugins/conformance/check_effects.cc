// Effects: well formed, and in agreement with what an action changes.
#include <map>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/checks.h"

namespace astragal::conformance {
namespace {

using host::Effect;
using host::EffectKind;
using host::Position;

constexpr size_t kMaxTried = 32;  // actions of one position

// Pieces by (place, seat, kind), coins by seat (-1: the pot).
struct Board {
  std::map<std::tuple<int, int, int>, int64_t> pieces;
  std::map<int, int64_t> coins;

  static Board Of(const host::Ruleset& ruleset, const Position& position) {
    Board board;
    const auto pieces = ruleset.Pieces(position);
    const auto counters = ruleset.Counters(position);
    if (pieces.ok()) {
      for (const auto& p : *pieces) board.pieces[{p.place, p.seat, p.kind}] += p.count;
    }
    if (counters.ok()) {
      for (const auto& c : *counters) {
        if (c.name == "coins" || c.name == "pot")
          board.coins[c.name == "pot" ? -1 : c.seat] += c.value;
      }
    }
    return board;
  }

  void Add(int place, const Effect& effect, int64_t amount) {
    if (place < 0) return;
    const std::tuple<int, int, int> key(place, effect.seat, effect.piece);
    if ((pieces[key] += amount) == 0) pieces.erase(key);
  }

  void Apply(const Effect& effect) {
    switch (effect.kind) {
      case EffectKind::kMove:
      case EffectKind::kEnter:
      case EffectKind::kCapture:
      case EffectKind::kBearOff:
        Add(effect.from, effect, -1);
        Add(effect.to, effect, +1);
        break;
      case EffectKind::kPay:
        coins[effect.seat] -= effect.amount;
        coins[effect.to] += effect.amount;
        break;
      case EffectKind::kTake:
        coins[-1] -= effect.amount;
        coins[effect.seat] += effect.amount;
        break;
      default:
        break;
    }
  }

  // A tray that an effect does not name cannot be compared.
  void DropPlaces(const std::set<int>& places) {
    std::erase_if(pieces,
                  [&](const auto& entry) { return places.contains(std::get<0>(entry.first)); });
  }
};

bool LeavesTrayOut(const Effect& effect) {
  return effect.kind <= EffectKind::kBearOff && (effect.from < 0 || effect.to < 0);
}

class Comparison {
 public:
  Comparison(Session& session, const Look& look, int64_t action)
      : session_(session), look_(look), action_(action) {}

  void Run(const std::vector<Effect>& effects, const Position& after, const std::set<int>& trays) {
    Board predicted = Board::Of(session_.ruleset(), look_.position);
    Board real = Board::Of(session_.ruleset(), after);
    const bool has_coins = !predicted.coins.empty();
    bool trays_known = true;
    for (const Effect& effect : effects) {
      predicted.Apply(effect);
      if (LeavesTrayOut(effect)) trays_known = false;
    }
    if (!trays_known) {
      predicted.DropPlaces(trays);
      real.DropPlaces(trays);
    }
    Expect(predicted.pieces == real.pieces, "pieces end elsewhere than the effects say");
    if (has_coins)
      Expect(predicted.coins == real.coins, "coins end elsewhere than the effects say");
    CompareEnds(effects, after);
  }

 private:
  void Expect(bool good, absl::string_view what) {
    session_.Expect(Duty::kEffectsAgree, good, absl::StrCat("action ", action_, ": ", what),
                    &look_.position);
  }

  void CompareEnds(const std::vector<Effect>& effects, const Position& after) {
    const int next = session_.ruleset().Actor(after);
    const auto results = session_.ruleset().Result(after);
    int turn = host::kBroken;
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::kTurn) turn = effect.seat;
      if (effect.kind == EffectKind::kFinish && results.ok() && effect.seat >= 0) {
        Expect((*results)[static_cast<size_t>(effect.seat)].place == effect.amount,
               "a seat finishes in another place than the effects say");
      }
    }
    if (turn == host::kBroken) return;
    Expect(next != host::kOver, "somebody is next after the end");
    if (next >= 0) Expect(turn == next, "somebody else is next than the effects say");
  }

  Session& session_;
  const Look& look_;
  int64_t action_;
};

std::set<int> TraysOf(Session& session, const Position& position) {
  std::set<int> trays;
  const auto places = session.ruleset().Places(position);
  if (!places.ok()) return trays;
  for (const host::Place& place : *places) {
    if (place.shape == host::Shape::kTray) trays.insert(place.id);
  }
  return trays;
}

}  // namespace

void CheckEffects(Session& session, const Look& look) {
  session.Doing(Duty::kEffectsForm);
  const std::set<int> trays = TraysOf(session, look.position);
  const size_t stride = look.choosable.size() / kMaxTried + 1;
  for (size_t i = 0; i < look.choosable.size(); i += stride) {
    const int64_t action = look.choosable[i];
    Position after = look.position;
    if (!session.ruleset().Apply(after, look.actor, action).ok()) continue;  // that is reported
    const auto effects = session.ruleset().Effects(look.position, look.actor, action);
    if (!session.ExpectOk(Duty::kEffectsForm, effects.status(), "effects", &look.position))
      continue;
    Comparison(session, look, action).Run(*effects, after, trays);
  }
}

}  // namespace astragal::conformance
