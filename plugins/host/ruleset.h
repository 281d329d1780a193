// One loaded build of one ruleset: the only code that calls a plugin's table.
//
// A Ruleset owns what it copied out of the plugin at load (About) and refers to the plugin's
// functions, which stay mapped for the life of the process. It is immutable; every method may be
// called from any thread, on any number of positions at once, under the usual rule for values (many
// readers of one Position or one writer).
//
// Every answer of the plugin is checked before it is handed on: counts against the declared limits,
// actions ascending and distinct, seats and kinds in range, texts UTF-8 without control characters.
// What was asked wrongly gives the reasons of reason.h; an answer against the contract, or an
// exception that leaves the plugin, gives Internal / RULESET_FAULT. Whatever fails leaves the
// position as it was. What no check in this process can undo is a plugin that crashes, never
// returns or writes outside of the memory it was given: a loaded plugin is as trusted as the
// process that loads it.
//
// Positions must come from this ruleset's rules version (Start, FromBytes, ParsePosition, Apply,
// Leave); any build of the same rules version may go on with them. A position of another size is
// answered with RULESET_FAULT, never read.
#ifndef ASTRAGAL_PLUGINS_HOST_RULESET_H_
#define ASTRAGAL_PLUGINS_HOST_RULESET_H_

#include <astragal/ruleset.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "plugins/host/about.h"
#include "plugins/host/position.h"
#include "plugins/host/reason.h"
#include "plugins/host/usage.h"
#include "plugins/host/view.h"

namespace astragal::host {

// Which library file the code came from.
struct Build {
  std::string sha256;  // of the file, 64 lower-case hex digits
  std::string path;    // where it was loaded from
};

// The extension "astragal.mirror/1": the position seen from the other side of the table.
class Mirror {
 public:
  explicit Mirror(const astragal_mirror& table) : table_(table) {}

  Position Of(const Position& position) const;
  int SeatOf(const Position& position, int seat) const;
  int64_t ActionOf(const Position& position, int actor, int64_t action) const;

 private:
  astragal_mirror table_;
};

class Ruleset {
 public:
  using OptionTexts = absl::Span<const std::pair<std::string, std::string>>;

  // Checks the table and everything it says about itself; InvalidArgument names what is wrong. The
  // table must live as long as the process. `build` may be empty in tests.
  static absl::StatusOr<std::shared_ptr<const Ruleset>> Create(const astragal_ruleset* table,
                                                               Build build);

  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;

  const About& about() const { return about_; }
  const Build& build() const { return build_; }
  // How often the plugin has broken its contract (RULESET_FAULT) since it was loaded.
  uint64_t faults() const { return faults_.load(std::memory_order_relaxed); }
  // What it was used for since then, for whoever counts and whoever looks.
  Usage& usage() const { return usage_; }

  // Option values for a preset ("" is "standard") with single options changed by name; a choice is
  // given by its name, an integer in decimal. BAD_OPTION with the field that is unknown, repeated
  // or out of bounds. Combinations that do not fit are refused by Start.
  absl::StatusOr<std::vector<int64_t>> ResolveOptions(absl::string_view preset,
                                                      OptionTexts changes) const;
  // How ResolveOptions would read it: the choice's name or the number.
  std::string OptionText(size_t option, int64_t value) const;

  // The first position for option values in declared order. BAD_OPTION.
  absl::StatusOr<Position> Start(absl::Span<const int64_t> options) const;

  // Bytes from outside or from the store, checked by the ruleset. BAD_NOTATION.
  absl::StatusOr<Position> FromBytes(absl::string_view bytes) const;

  // Runs the ruleset's own check over a position. BAD_NOTATION.
  absl::Status Check(const Position& position) const;

  // A seat, kChance or kOver (kBroken: see view.h).
  int Actor(const Position& position) const;
  // 2 .. 4, the same in all positions of a game; 0 when the plugin contradicts itself.
  int Seats(const Position& position) const;
  // Values of all options; empty when the plugin throws.
  std::vector<int64_t> Options(const Position& position) const;

  // Legal actions of the seat to act, ascending and distinct; empty when it is no seat's turn.
  absl::StatusOr<std::vector<int64_t>> Actions(const Position& position) const;
  // The same without allocation: fills the front of `out`, which holds at least
  // about().limits.actions entries, and returns how many.
  absl::StatusOr<size_t> Actions(const Position& position, absl::Span<int64_t> out) const;

  // Index into about().throw_kinds of what is thrown now; nothing when it is not chance's turn.
  std::optional<int> ThrowKind(const Position& position) const;

  // Carries out an action of a seat or, for kChance, a ChanceAction. ILLEGAL_ACTION in the
  // ruleset's words. Unchanged on failure.
  absl::Status Apply(Position& position, int actor, int64_t action) const;

  // A seat is gone for good in a game that goes on. ILLEGAL_ACTION when the ruleset has no such
  // thing or refuses. Unchanged on failure.
  absl::Status Leave(Position& position, int seat) const;

  // One entry per seat.
  absl::StatusOr<std::vector<SeatResult>> Result(const Position& position) const;

  // Canonical notation of an action or throw. BAD_NOTATION when the number means nothing.
  absl::StatusOr<std::string> Format(const Position& position, int actor, int64_t action) const;
  // Reads what Format writes and what a player would type. BAD_NOTATION. Says nothing of legality.
  absl::StatusOr<int64_t> Parse(const Position& position, int actor, absl::string_view text) const;

  // The whole position as one line of text, and back. BAD_NOTATION.
  absl::StatusOr<std::string> FormatPosition(const Position& position) const;
  absl::StatusOr<Position> ParsePosition(absl::string_view text) const;

  // What Apply of a legal action or throw would do, in order.
  absl::StatusOr<std::vector<Effect>> Effects(const Position& position, int actor,
                                              int64_t action) const;

  // GAME_OVER, or ILLEGAL_ACTION when this seat is out of the game.
  absl::StatusOr<ConcessionRange> Concession(const Position& position, int seat) const;

  // Board geometry: constant for given options.
  absl::StatusOr<std::vector<Place>> Places(const Position& position) const;
  // Ordered by place, seat and kind.
  absl::StatusOr<std::vector<Piece>> Pieces(const Position& position) const;
  absl::StatusOr<std::vector<Throw>> Throws(const Position& position) const;
  absl::StatusOr<std::vector<Counter>> Counters(const Position& position) const;
  // Board as plain text, lines end with '\n'.
  absl::StatusOr<std::string> Text(const Position& position) const;

  // The seat's chance to win in thousandths, 0 .. 1000; nothing when the ruleset has no estimate.
  std::optional<int> Evaluate(const Position& position, int seat) const;

  // Null when the ruleset has no such extension.
  const class Mirror* Mirror() const { return mirror_ ? &*mirror_ : nullptr; }

  // The plugin's own table, for plugins/conformance: it has to see what this class would repair.
  const astragal_ruleset& raw_table() const { return table_; }

 private:
  Ruleset(const astragal_ruleset& table, About about, Build build,
          std::optional<class Mirror> mirror);

  bool Fits(const Position& position) const {
    return position.size() == about_.limits.position_bytes;
  }
  // OK when position and seat may be handed to the plugin; `seat` may be kChance where it is
  // allowed.
  absl::Status CheckSeat(const Position& position, int seat, absl::string_view function) const;
  absl::Status Fault(absl::string_view function, absl::string_view what) const;
  // OK when actor, seats and throw kind of the position agree with each other and the limits.
  absl::Status CheckHead(const Position& position) const;
  // The head, and options within their bounds that agree with the number of seats.
  absl::Status CheckNew(const Position& position, absl::string_view function) const;
  absl::Status CheckBounds(absl::Span<const int64_t> options) const;
  absl::StatusOr<int64_t> OptionValue(const Option& option, absl::string_view text) const;
  // The status for a plugin's answer that is not ASTRAGAL_OK.
  absl::Status Refused(int32_t code, const astragal_error& error, absl::string_view function,
                       absl::string_view reason) const;
  template <typename Change>
  absl::Status ChangeOrRestore(Position& position, absl::string_view function, Change change) const;
  template <typename Raw, typename Entry, typename Fill, typename Convert>
  absl::StatusOr<std::vector<Entry>> List(const Position& position, absl::string_view function,
                                          uint32_t limit, Fill fill, Convert convert) const;
  template <typename Fill>
  absl::StatusOr<std::string> TextOf(absl::string_view function, uint32_t limit, bool lines,
                                     Fill fill) const;

  const astragal_ruleset table_;
  const About about_;
  const Build build_;
  std::optional<class Mirror> mirror_;
  mutable std::atomic<uint64_t> faults_ = 0;
  mutable Usage usage_;
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_RULESET_H_
