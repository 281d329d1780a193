#include "services/record/record_extras.h"

#include <charconv>

namespace astragal::record {

using algorithms::Json;

std::string ExtrasOf(const algorithms::GameRecord& record) {
  Json out = Json::object();
  if (!record.extra.empty()) out["0"] = record.extra;
  for (const algorithms::RecordEvent& event : record.events) {
    if (!event.extra.empty()) out[std::to_string(event.sequence)] = event.extra;
  }
  return out.empty() ? std::string() : out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void AddExtras(const std::string& extras, algorithms::GameRecord& record) {
  Json json;
  if (extras.empty() || !algorithms::ParseJson(extras, json).ok() || !json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    size_t number = 0;
    std::from_chars(key.data(), key.data() + key.size(), number);
    if (number == 0) {
      record.extra = value;
    } else if (number <= record.events.size()) {
      record.events[number - 1].extra = value;
    }
  }
}

}  // namespace astragal::record
