// The same question gets the same answer, from one thread and from several; nothing is written
// where it should not be.
#include <cstring>
#include <functional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/answers.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/guarded.h"
#include "plugins/host/guard.h"

namespace astragal::conformance {
namespace {

using host::Position;

constexpr unsigned char kUnwritten = 0xEE;

void CompareAnswers(Session& session, Duty duty, const Position& position,
                    const std::vector<Answer>& first, const std::vector<Answer>& second) {
  session.Expect(duty, first.size() == second.size(), "there are more answers than before",
                 &position);
  for (size_t i = 0; i < first.size() && i < second.size(); ++i) {
    session.Expect(duty, first[i].Same(second[i]),
                   absl::StrCat(first[i].function, " answers differently the second time"),
                   &position);
  }
}

// One function that fills an array, called with capacities from nothing to all.
template <typename T>
class Filling {
 public:
  using Call = std::function<uint32_t(const void*, T*, uint32_t)>;

  Filling(Session& session, const Position& position, const char* function, uint32_t limit)
      : session_(session), position_(position), function_(function), limit_(limit) {}

  void Run(const Call& call) {
    const uint32_t all = Fill(call, 0, 0);
    if (all > limit_) return;  // reported where the answer is used
    for (const uint32_t capacity : {all / 2, all, limit_}) Fill(call, capacity, all);
  }

 private:
  uint32_t Fill(const Call& call, uint32_t capacity, uint32_t wanted) {
    Guarded<T> out(limit_ + 1, kUnwritten);
    Guarded<unsigned char> position(position_.size());
    std::memcpy(position.data(), position_.data(), position_.size());
    uint32_t count = UINT32_MAX;
    if (!host::Returns([&] { count = call(position.data(), out.data(), capacity); })) {
      return UINT32_MAX;
    }
    const uint32_t filled = count < capacity ? count : capacity;
    Expect(out.IntactBeyond(filled, kUnwritten),
           absl::StrCat("writes beyond a capacity of ", capacity));
    Expect(capacity == 0 || count == wanted, absl::StrCat("counts ", count, " for a capacity of ",
                                                          capacity, " and ", wanted, " for 0"));
    Expect(std::memcmp(position.data(), position_.data(), position_.size()) == 0 &&
               position.IntactBeyond(position_.size()),
           "writes into the position it reads");
    ExpectSizes(out, filled);
    return count;
  }

  void ExpectSizes(const Guarded<T>& out, uint32_t filled) {
    if constexpr (requires(T entry) { entry.struct_size; }) {
      for (uint32_t i = 0; i < filled; ++i) {
        Expect(out[i].struct_size == sizeof(T), "gives an entry without its struct_size");
      }
    }
  }

  void Expect(bool good, absl::string_view what) {
    session_.Expect(Duty::kWritesInside, good, absl::StrCat(function_, " ", what), &position_);
  }

  Session& session_;
  const Position& position_;
  const char* function_;
  uint32_t limit_;
};

template <typename T, typename Function>
void CheckFilling(Session& session, const Position& position, const char* name, uint32_t limit,
                  Function function) {
  Filling<T>(session, position, name, limit).Run(function);
}

void CheckFixedWrites(Session& session, const Position& position) {
  const size_t seats = static_cast<size_t>(session.ruleset().Seats(position));
  const size_t options = session.about().options.size();
  Guarded<astragal_seat_result> results(seats, kUnwritten);
  Guarded<int64_t> values(options, kUnwritten);
  const bool returned = host::Returns([&] {
    session.raw().result(position.data(), results.data());
    session.raw().options(position.data(), values.data());
  });
  if (!returned) return;
  session.Expect(Duty::kWritesInside, results.IntactBeyond(seats, kUnwritten),
                 "result writes more than one entry per seat", &position);
  session.Expect(Duty::kWritesInside, values.IntactBeyond(options, kUnwritten),
                 "options writes more than one value per option", &position);
  for (size_t seat = 0; seat < seats; ++seat) {
    session.Expect(Duty::kWritesInside, results[seat].struct_size == sizeof(astragal_seat_result),
                   "result gives an entry without its struct_size", &position);
  }
}

}  // namespace

void CheckRepeatable(Session& session, const Position& position) {
  session.Doing(Duty::kRepeatable);
  const Position copy = position;
  CompareAnswers(session, Duty::kRepeatable, position, AskEverything(session.ruleset(), position),
                 AskEverything(session.ruleset(), copy));
}

void CheckThreads(Session& session, const Position& position) {
  // What differs from call to call differs from thread to thread too; one complaint is enough.
  if (session.report().Broken(Duty::kRepeatable)) return;
  session.Doing(Duty::kThreads);
  const std::vector<Answer> here = AskEverything(session.ruleset(), position);
  std::vector<Answer> there[2];
  std::thread threads[2];
  for (int i = 0; i < 2; ++i) {
    threads[i] = std::thread([&, i] { there[i] = AskEverything(session.ruleset(), position); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Answer>& answers : there) {
    CompareAnswers(session, Duty::kThreads, position, here, answers);
  }
}

void CheckWrites(Session& session, const Look& look) {
  session.Doing(Duty::kWritesInside);
  const astragal_ruleset& raw = session.raw();
  const host::Limits& limits = session.about().limits;
  const Position& position = look.position;
  CheckFilling<int64_t>(session, position, "actions", limits.actions, raw.actions);
  CheckFilling<astragal_place>(session, position, "places", limits.places, raw.places);
  CheckFilling<astragal_piece>(session, position, "pieces", limits.pieces, raw.pieces);
  CheckFilling<astragal_throw>(session, position, "throws", limits.throws, raw.throws);
  CheckFilling<astragal_counter>(session, position, "counters", limits.counters, raw.counters);
  CheckFilling<char>(session, position, "text", ASTRAGAL_MAX_TEXT_BYTES, raw.text);
  CheckFilling<char>(session, position, "format_position", ASTRAGAL_MAX_TEXT_BYTES,
                     raw.format_position);
  CheckFixedWrites(session, position);
  if (look.choosable.empty()) return;
  const int64_t action = look.choosable[session.noise().Below(look.choosable.size())];
  CheckFilling<astragal_effect>(session, position, "effects", limits.effects,
                                [&](const void* bytes, astragal_effect* out, uint32_t capacity) {
                                  return raw.effects(bytes, look.actor, action, out, capacity);
                                });
  CheckFilling<char>(session, position, "format", ASTRAGAL_MAX_NAME_BYTES,
                     [&](const void* bytes, char* out, uint32_t capacity) {
                       return raw.format(bytes, look.actor, action, out, capacity);
                     });
}

}  // namespace astragal::conformance
