// What every call that changes something owes to one that was cut off: asked again with the same
// request_id it gives the first answer and does nothing more; asked for something else with that id
// it is refused.
#ifndef ASTRAGAL_TESTS_SERVICES_SERVER_REPEAT_H_
#define ASTRAGAL_TESTS_SERVICES_SERVER_REPEAT_H_

#include <google/protobuf/message.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "tests/services/server/hall.h"

namespace astragal::server {

// Calls methods three times and notes which. For one thread; a failure is the test's.
class Repeater {
 public:
  explicit Repeater(const Hall& hall) : hall_(hall) {}

  const Hall& hall() const { return hall_; }
  const std::set<std::string>& seen() const { return seen_; }

  // The call, the same again, and again with what `change` makes of it. The first answer.
  template <typename Response, typename Request>
  Response Once(const std::string& method, const std::string& token, Request request,
                const std::function<void(Request&)>& change) {
    const Response first = Twice<Response>(method, token, request);
    change(request);
    ExpectReused(method, token, request);
    return first;
  }
  // The call and the same again, where there is nothing else to ask for: see ExpectReused.
  template <typename Response, typename Request>
  Response Twice(const std::string& method, const std::string& token, const Request& request) {
    Response first;
    Compare(method, token, request, first);
    return first;
  }
  // What is refused because its request_id stands for something else.
  void ExpectReused(const std::string& method, const std::string& token,
                    const google::protobuf::Message& request);
  // A call that is no case of its own.
  template <typename Response, typename Request>
  Response Call(const std::string& method, const std::string& token, const Request& request) {
    Response response;
    ExpectOk(method, hall_.Call(method, token, request, &response));
    return response;
  }

 private:
  void Compare(const std::string& method, const std::string& token,
               const google::protobuf::Message& request, google::protobuf::Message& first);
  static void ExpectOk(const std::string& method, const Outcome& outcome);

  const Hall& hall_;
  std::set<std::string> seen_;
};

template <typename Request>
Request WithId() {
  Request request;
  request.set_request_id(NewRequestId());
  return request;
}

// The calls of players and directors of tournaments.
void RepeatTournaments(Repeater& repeater);

}  // namespace astragal::server

#endif  // ASTRAGAL_TESTS_SERVICES_SERVER_REPEAT_H_
