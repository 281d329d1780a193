#include "plugins/host/trial.h"

#include <vector>

#include "plugins/host/choices.h"

namespace astragal::host {
namespace {

// First failure of several questions.
class Asked {
 public:
  template <typename T>
  void That(const absl::StatusOr<T>& answer) {
    if (status_.ok() && !answer.ok()) status_ = answer.status();
  }
  void That(const absl::Status& answer) {
    if (status_.ok()) status_ = answer;
  }
  const absl::Status& status() const { return status_; }

 private:
  absl::Status status_;
};

absl::Status Look(const Ruleset& ruleset, const Position& position) {
  Asked asked;
  asked.That(ruleset.Check(position));
  asked.That(ruleset.Places(position));
  asked.That(ruleset.Pieces(position));
  asked.That(ruleset.Throws(position));
  asked.That(ruleset.Counters(position));
  asked.That(ruleset.Text(position));
  asked.That(ruleset.Result(position));
  const absl::StatusOr<std::string> text = ruleset.FormatPosition(position);
  asked.That(text);
  if (text.ok()) asked.That(ruleset.ParsePosition(*text));
  return asked.status();
}

absl::StatusOr<int64_t> Choose(const Ruleset& ruleset, const Position& position, int actor,
                               Choices& choices) {
  if (actor == kChance) {
    const std::optional<int> kind = ruleset.ThrowKind(position);
    if (!kind) return absl::InternalError("chance is to act and nothing is thrown");
    const size_t outcomes = ruleset.about().throw_kinds[static_cast<size_t>(*kind)].weights.size();
    return ChanceAction(*kind, static_cast<int>(choices.Below(outcomes)));
  }
  absl::StatusOr<std::vector<int64_t>> actions = ruleset.Actions(position);
  if (!actions.ok()) return actions.status();
  return (*actions)[choices.Below(actions->size())];
}

absl::Status Step(const Ruleset& ruleset, Position& position, int actor, Choices& choices) {
  const absl::StatusOr<int64_t> action = Choose(ruleset, position, actor, choices);
  if (!action.ok()) return action.status();
  Asked asked;
  const absl::StatusOr<std::string> text = ruleset.Format(position, actor, *action);
  asked.That(text);
  if (text.ok()) asked.That(ruleset.Parse(position, actor, *text));
  asked.That(ruleset.Effects(position, actor, *action));
  asked.That(ruleset.Apply(position, actor, *action));
  return asked.status();
}

absl::Status PlayPreset(const Ruleset& ruleset, const Preset& preset, int actions,
                        Choices& choices) {
  absl::StatusOr<Position> position = ruleset.Start(preset.values);
  if (!position.ok()) return position.status();
  for (int i = 0; i < actions; ++i) {
    if (absl::Status status = Look(ruleset, *position); !status.ok()) return status;
    const int actor = ruleset.Actor(*position);
    if (actor == kOver) break;
    if (absl::Status status = Step(ruleset, *position, actor, choices); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status PlayTrial(const Ruleset& ruleset, int actions, uint64_t seed) {
  Choices choices(seed);
  for (const Preset& preset : ruleset.about().presets) {
    if (absl::Status status = PlayPreset(ruleset, preset, actions, choices); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace astragal::host
