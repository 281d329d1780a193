#include "services/cli/json.h"

#include <google/protobuf/util/json_util.h>

namespace astragal::cli {
namespace {

std::string ToJson(const google::protobuf::Message& message, bool lines) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = lines;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string text;
  // Fails only for an Any of an unknown type, which no message of ours holds.
  (void)google::protobuf::util::MessageToJsonString(message, &text, options);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string JsonDocument(const google::protobuf::Message& message) { return ToJson(message, true); }
std::string JsonLine(const google::protobuf::Message& message) { return ToJson(message, false); }

}  // namespace astragal::cli
