#include "tests/support/vector_check/library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace astragal::vector_check {
namespace {

astragal_error NoError() { return {sizeof(astragal_error), {}, {}}; }

void Expect(int32_t code, const astragal_error& error) {
  if (code == ASTRAGAL_OK) return;
  const std::string field = error.field;
  throw std::runtime_error((field.empty() ? "" : field + ": ") + error.message);
}

template <class T, class Function>
std::vector<T> List(Function function, const Position& position) {
  std::vector<T> list(function(position.data(), nullptr, 0));
  function(position.data(), list.data(), static_cast<uint32_t>(list.size()));
  return list;
}

}  // namespace

Library::Library(const std::string& folder, const std::string& ruleset) {
  const std::string path = folder + "/lib" + ruleset + ".so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry = reinterpret_cast<astragal_entry>(dlsym(library, ASTRAGAL_ENTRY_NAME));
  if (entry == nullptr) throw std::runtime_error(path + ": is no ruleset");
  table_ = entry();
}

Position Library::Parse(const std::string& text) const {
  Position position((table_->about->position_size + 7) / 8);
  astragal_error error = NoError();
  Expect(table_->parse_position(text.data(), static_cast<uint32_t>(text.size()), position.data(),
                                &error),
         error);
  return position;
}

std::vector<int64_t> Library::Actions(const Position& position) const {
  return List<int64_t>(table_->actions, position);
}

void Library::Apply(Position& position, int actor, int64_t action) const {
  astragal_error error = NoError();
  Expect(table_->apply(position.data(), actor, action, &error), error);
}

void Library::ApplyThrow(Position& position, const std::string& label) const {
  astragal_error error = NoError();
  int64_t action = 0;
  Expect(table_->parse(position.data(), ASTRAGAL_CHANCE, label.data(),
                       static_cast<uint32_t>(label.size()), &action, &error),
         error);
  Apply(position, ASTRAGAL_CHANCE, action);
}

std::vector<astragal_piece> Library::Pieces(const Position& position) const {
  return List<astragal_piece>(table_->pieces, position);
}

std::vector<astragal_throw> Library::Throws(const Position& position) const {
  return List<astragal_throw>(table_->throws, position);
}

std::vector<astragal_seat_result> Library::Result(const Position& position) const {
  std::vector<astragal_seat_result> result(table_->seats(position.data()));
  table_->result(position.data(), result.data());
  return result;
}

}  // namespace astragal::vector_check
