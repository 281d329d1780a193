#include "services/algorithms/json_fields.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace astragal::algorithms {
namespace {

const Json kNothing = Json::array();
const Json kNoObject = Json::object();

absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<std::string> BytesFromHex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexValue(hex[i]);
    const int low = HexValue(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

absl::Status ParseJson(std::string_view text, Json& out) {
  out = Json::parse(text, nullptr, false);
  if (out.is_discarded()) return absl::InvalidArgumentError("is no JSON");
  return absl::OkStatus();
}

JsonFields::JsonFields(const Json& object) : object_(object) {
  if (!object.is_object()) status_ = absl::InvalidArgumentError("is no JSON object");
}

void JsonFields::Refuse(std::string_view key, std::string_view why) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(absl::StrCat("\"", Absl(key), "\" ", Absl(why)));
}

bool JsonFields::Has(std::string_view key) const {
  return object_.is_object() && object_.find(key) != object_.end();
}

const Json* JsonFields::Find(std::string_view key, std::string_view what,
                             bool (Json::*is)() const noexcept) {
  if (!status_.ok()) return nullptr;
  known_.emplace(key);
  const auto found = object_.find(key);
  if (found == object_.end()) {
    Refuse(key, "is missing");
    return nullptr;
  }
  if ((*found.*is)()) return &*found;
  Refuse(key, absl::StrCat("is no ", Absl(what)));
  return nullptr;
}

std::string JsonFields::Text(std::string_view key) {
  const Json* value = Find(key, "text", &Json::is_string);
  return value == nullptr ? std::string() : value->get<std::string>();
}

int64_t JsonFields::Int(std::string_view key, int64_t least, int64_t most) {
  const Json* value = Find(key, "integer", &Json::is_number_integer);
  if (value == nullptr) return 0;
  const bool fits = !value->is_number_unsigned() ||
                    value->get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
  const int64_t number = fits ? value->get<int64_t>() : 0;
  if (fits && number >= least && number <= most) return number;
  Refuse(key, absl::StrCat("must be ", least, " to ", most));
  return 0;
}

bool JsonFields::Bool(std::string_view key) {
  const Json* value = Find(key, "true or false", &Json::is_boolean);
  return value != nullptr && value->get<bool>();
}

std::string JsonFields::Hex(std::string_view key, size_t least, size_t most) {
  const std::string text = Text(key);
  if (!ok()) return {};
  std::optional<std::string> bytes = BytesFromHex(text);
  if (bytes && bytes->size() >= least && bytes->size() <= most) return *std::move(bytes);
  Refuse(key, least == most
                  ? absl::StrCat("must be ", least, " bytes in hexadecimal")
                  : absl::StrCat("must be ", least, " to ", most, " bytes in hexadecimal"));
  return {};
}

const Json& JsonFields::Array(std::string_view key, size_t most) {
  const Json* value = Find(key, "array", &Json::is_array);
  if (value == nullptr) return kNothing;
  if (value->size() <= most) return *value;
  Refuse(key, absl::StrCat("has more than ", most, " entries"));
  return kNothing;
}

const Json& JsonFields::Object(std::string_view key) {
  const Json* value = Find(key, "object", &Json::is_object);
  return value == nullptr ? kNoObject : *value;
}

Json JsonFields::Rest() const {
  Json rest = Json::object();
  if (!object_.is_object()) return rest;
  for (const auto& [key, value] : object_.items()) {
    if (!known_.contains(key)) rest[key] = value;
  }
  return rest;
}

}  // namespace astragal::algorithms
