#include "plugins/conformance/answers.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace astragal::conformance {
namespace {

using host::Position;
using host::Ruleset;

constexpr size_t kMaxActions = 24;  // of one position; enough to compare, few enough to be quick

std::string Text(const std::string& text) { return text; }
std::string Text(const std::vector<int64_t>& list) { return absl::StrJoin(list, " "); }

std::string Text(const std::vector<host::SeatResult>& list) {
  std::string text;
  for (const auto& r : list) absl::StrAppend(&text, r.place, ":", r.points, " ");
  return text;
}
std::string Text(const std::vector<host::Effect>& list) {
  std::string text;
  for (const auto& e : list) {
    absl::StrAppend(&text, static_cast<int>(e.kind), ":", e.seat, ":", e.piece, ":");
    absl::StrAppend(&text, e.from, ":", e.to, ":", e.amount, " ");
  }
  return text;
}
std::string Text(const std::vector<host::Place>& list) {
  std::string text;
  for (const auto& p : list) {
    absl::StrAppend(&text, p.id, ":", p.x, ":", p.y, ":", p.width);
    absl::StrAppend(&text, ":", p.height, ":", static_cast<int>(p.shape), ":", p.marks);
    absl::StrAppend(&text, ":", p.seat, ":", p.label, " ");
  }
  return text;
}
std::string Text(const std::vector<host::Piece>& list) {
  std::string text;
  for (const auto& p : list) {
    absl::StrAppend(&text, p.place, ":", p.seat, ":", p.kind, ":", p.count);
    absl::StrAppend(&text, " ");
  }
  return text;
}
std::string Text(const std::vector<host::Throw>& list) {
  std::string text;
  for (const auto& t : list) absl::StrAppend(&text, t.seat, ":", t.value, ":", t.used, " ");
  return text;
}
std::string Text(const std::vector<host::Counter>& list) {
  std::string text;
  for (const auto& c : list) absl::StrAppend(&text, c.seat, ":", c.name, ":", c.value, " ");
  return text;
}

class Interview {
 public:
  Interview(const Ruleset& ruleset, const Position& position)
      : ruleset_(ruleset), position_(position) {}

  std::vector<Answer> Run() {
    AskHead();
    AskBoard();
    AskSeats();
    AskActions();
    AskMirror();
    return std::move(answers_);
  }

 private:
  template <typename T>
  void Add(const char* function, const absl::StatusOr<T>& answer) {
    answers_.push_back({function, answer.status(), answer.ok() ? Text(*answer) : std::string()});
  }
  void Add(const char* function, std::string text) {
    answers_.push_back({function, absl::OkStatus(), std::move(text)});
  }

  void AskHead() {
    answers_.push_back({"check", ruleset_.Check(position_), ""});
    Add("actor", absl::StrCat(ruleset_.Actor(position_)));
    Add("seats", absl::StrCat(ruleset_.Seats(position_)));
    Add("options", Text(ruleset_.Options(position_)));
    Add("chances", absl::StrCat(ruleset_.ThrowKind(position_).value_or(-1)));
    Add("result", ruleset_.Result(position_));
    Add("format_position", ruleset_.FormatPosition(position_));
  }

  void AskBoard() {
    Add("places", ruleset_.Places(position_));
    Add("pieces", ruleset_.Pieces(position_));
    Add("throws", ruleset_.Throws(position_));
    Add("counters", ruleset_.Counters(position_));
    Add("text", ruleset_.Text(position_));
  }

  void AskSeats() {
    for (int seat = 0; seat < ruleset_.Seats(position_); ++seat) {
      const absl::StatusOr<host::ConcessionRange> range = ruleset_.Concession(position_, seat);
      const bool refused = absl::IsFailedPrecondition(range.status());
      answers_.push_back({"concession", refused ? absl::OkStatus() : range.status(),
                          range.ok() ? absl::StrCat(range->fewest, " ", range->most) : "refused"});
      Add("evaluate", absl::StrCat(ruleset_.Evaluate(position_, seat).value_or(-1)));
    }
  }

  void AskActions() {
    const int actor = ruleset_.Actor(position_);
    absl::StatusOr<std::vector<int64_t>> actions = ruleset_.Actions(position_);
    Add("actions", actions);
    if (!actions.ok()) return;
    const std::optional<int> kind = ruleset_.ThrowKind(position_);
    if (kind) {
      const auto& weights = ruleset_.about().throw_kinds[static_cast<size_t>(*kind)].weights;
      for (size_t i = 0; i < weights.size(); ++i) {
        actions->push_back(host::ChanceAction(*kind, static_cast<int>(i)));
      }
    }
    const size_t stride = actions->size() / kMaxActions + 1;
    for (size_t i = 0; i < actions->size(); i += stride) AskAction(actor, (*actions)[i]);
  }

  void AskAction(int actor, int64_t action) {
    Add("format", ruleset_.Format(position_, actor, action));
    Add("effects", ruleset_.Effects(position_, actor, action));
    Position after = position_;
    const absl::Status status = ruleset_.Apply(after, actor, action);
    answers_.push_back({"apply", status, std::string(after.bytes())});
  }

  void AskMirror() {
    if (ruleset_.Mirror() == nullptr) return;
    Add("mirror", std::string(ruleset_.Mirror()->Of(position_).bytes()));
  }

  const Ruleset& ruleset_;
  const Position& position_;
  std::vector<Answer> answers_;
};

}  // namespace

std::vector<Answer> AskEverything(const Ruleset& ruleset, const Position& position) {
  return Interview(ruleset, position).Run();
}

}  // namespace astragal::conformance
