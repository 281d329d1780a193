// Named cases of bad input: what is called, and how it must be refused.
#ifndef ASTRAGAL_TESTS_E2E_BAD_INPUT_H_
#define ASTRAGAL_TESTS_E2E_BAD_INPUT_H_

#include <gtest/gtest.h>

#include <functional>

#include "tests/e2e/game.h"

namespace astragal::e2e {

// What the cases are about: a running game of two, a finished one, an open one, and people.
struct Scene {
  Person alice = NewPerson(SharedService(), "Alice");
  Person bob = NewPerson(SharedService(), "Bob");
  Person carol = NewPerson(SharedService(), "Carol");  // holds no seat
  Client nobody{SharedService().Connect()};
  std::string running;
  std::string finished;
  std::string open;  // Alice sits at seat 0
  int actor = 0;     // of the running game
  uint32_t sequence = 0;
  std::vector<v1::Action> legal;
  std::string page_token;  // of ListEvents of the running game

  const Client& mover() const { return actor == 0 ? alice.client : bob.client; }
  const Client& waiter() const { return actor == 0 ? bob.client : alice.client; }
};

// The same one for all cases, made by the first.
const Scene& TheScene();

struct Case {
  const char* name;
  std::function<grpc::Status(const Scene&)> call;
  grpc::StatusCode code;
  const char* reason;
  // Fields that BadRequest names, and metadata that ErrorInfo has ("" stands for any value).
  std::vector<std::string> fields = {};
  std::map<std::string, std::string> metadata = {};
};
inline void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

using Call = std::function<grpc::Status(const Scene&)>;

// A PlayActions request that would be accepted.
v1::PlayActionsRequest GoodPlay(const Scene& scene);

// A call by nobody in particular, with a request that `change` fills.
template <typename Stub, typename Request, typename Response>
std::function<grpc::Status(const Scene&)> Asking(
    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
    std::function<void(const Scene&, Request&)> change) {
  return [=](const Scene& scene) {
    Request request;
    change(scene, request);
    return scene.nobody.Call(method, request).status;
  };
}

// An id that could be one, but is nobody's.
inline constexpr char kUnknownId[] = "06c2pz0000000000000000zzzz";

class BadInput : public testing::TestWithParam<Case> {};
inline std::string NameOfCase(const testing::TestParamInfo<Case>& one) { return one.param.name; }

}  // namespace astragal::e2e

#endif  // ASTRAGAL_TESTS_E2E_BAD_INPUT_H_
