#include "tests/support/vector_check/library.h"

#include <stdexcept>
#include <utility>

#include "plugins/host/library.h"

namespace astragal::vector_check {
namespace {

void Expect(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

template <class T>
T Expect(absl::StatusOr<T> answer) {
  Expect(answer.status());
  return *std::move(answer);
}

}  // namespace

Library::Library(const std::string& folder, const std::string& ruleset)
    : ruleset_(Expect(host::OpenLibrary({"", folder + "/lib" + ruleset + ".so"}))) {}

Position Library::Parse(const std::string& text) const {
  return Expect(ruleset_->ParsePosition(text));
}

std::vector<int64_t> Library::Actions(const Position& position) const {
  return Expect(ruleset_->Actions(position));
}

void Library::Apply(Position& position, int actor, int64_t action) const {
  Expect(ruleset_->Apply(position, actor, action));
}

void Library::ApplyThrow(Position& position, const std::string& label) const {
  Apply(position, host::kChance, Expect(ruleset_->Parse(position, host::kChance, label)));
}

std::vector<host::Piece> Library::Pieces(const Position& position) const {
  return Expect(ruleset_->Pieces(position));
}

std::vector<host::SeatResult> Library::Result(const Position& position) const {
  return Expect(ruleset_->Result(position));
}

}  // namespace astragal::vector_check
