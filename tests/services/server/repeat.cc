#include "tests/services/server/repeat.h"

#include <gtest/gtest.h>

#include <vector>

namespace astragal::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Secrets are shown once, and a repeat says that it is one.
void LeaveOut(Message& answer) {
  const auto& reflection = *answer.GetReflection();
  for (const char* name : {"api_key", "secret_already_shown", "repeated_request", "warnings"}) {
    const FieldDescriptor* field = answer.GetDescriptor()->FindFieldByName(name);
    if (field != nullptr) reflection.ClearField(&answer, field);
  }
  const FieldDescriptor* inner = answer.GetDescriptor()->FindFieldByName("answer");
  if (inner != nullptr && inner->type() == FieldDescriptor::TYPE_MESSAGE) {
    LeaveOut(*reflection.MutableMessage(&answer, inner));
  }
}

std::string TextOf(const Message& answer) {
  const std::unique_ptr<Message> copy(answer.New());
  copy->CopyFrom(answer);
  LeaveOut(*copy);
  return copy->DebugString();
}

}  // namespace

void Repeater::ExpectOk(const std::string& method, const Outcome& outcome) {
  EXPECT_TRUE(outcome.ok()) << method << ": " << outcome.reason << ", " << outcome.message;
}

void Repeater::Compare(const std::string& method, const std::string& token, const Message& request,
                       Message& first) {
  seen_.insert(method);
  ExpectOk(method, hall_.Call(method, token, request, &first));
  const std::unique_ptr<Message> again(first.New());
  ExpectOk(method + " again", hall_.Call(method, token, request, again.get()));
  EXPECT_EQ(TextOf(*again), TextOf(first)) << method;
}

void Repeater::ExpectReused(const std::string& method, const std::string& token,
                            const Message& request) {
  const Outcome outcome = hall_.Call(method, token, request);
  EXPECT_EQ(outcome.reason, "REQUEST_ID_REUSED") << method << ": " << outcome.message;
  EXPECT_EQ(outcome.code, grpc::INVALID_ARGUMENT) << method;
}

}  // namespace astragal::server
