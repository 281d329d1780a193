#include <algorithm>

#include "absl/strings/str_cat.h"
#include "services/algorithms/game_record.h"

namespace astragal::algorithms {
namespace {

constexpr std::string_view kFormat = "astragal-game-1";
constexpr uint32_t kPositionHashEvery = 16;
constexpr size_t kUsualLineBytes = 96;  // of an event, to reserve

void Append(const Json& line, std::string& out) {
  out += line.dump(-1, ' ', false, Json::error_handler_t::replace);
  out += '\n';
}

void Merge(const Json& extra, Json& line) {
  for (const auto& [key, value] : extra.items()) line[key] = value;
}

Json LineOf(const RecordEvent& event, size_t seats) {
  Json line;
  line["n"] = event.sequence;
  line["t"] = RecordWord(event.kind);
  if (RecordHasSeat(event.kind)) line["seat"] = event.seat;
  if (!event.notation.empty()) line["v"] = event.notation;
  Merge(FieldsOf(event, seats), line);
  line["at"] = event.at.micros;
  if (event.position_hash && event.sequence % kPositionHashEvery == 0) {
    line["position"] = base::Hex(base::AsView(*event.position_hash));
  }
  Merge(event.extra, line);
  return line;
}

// Most lines are throws and actions, marked ones too: with clocks nearly every action is. They are
// written without a JSON object between, which would take twice as long as all the rest of an
// export; false, and nothing written, for others. The text is the very same.
bool AppendPlayed(const RecordEvent& event, std::string& out) {
  const bool is_throw = event.kind == kRecordThrow;
  if (!is_throw && event.kind != kRecordAction) return false;
  const bool is_plain = std::ranges::all_of(
      event.notation, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!is_plain || event.notation.empty() || !event.extra.empty() ||
      (is_throw && !event.detail.empty()) || event.number == RecordEvent::kByNotation) {
    return false;
  }
  absl::StrAppend(&out, "{\"n\":", event.sequence);
  if (is_throw) {
    absl::StrAppend(&out, ",\"t\":\"throw\",\"v\":\"", event.notation,
                    "\",\"kind\":", event.number >> 16, ",\"outcome\":", event.number & 0xFFFF);
  } else {
    absl::StrAppend(&out, ",\"t\":\"action\",\"seat\":", static_cast<int>(event.seat), ",\"v\":\"",
                    event.notation, "\",\"action\":", event.number);
    const ActionMarks marks = ActionMarksOf(event.detail);
    if (marks.keeps_turn) out += ",\"keeps_turn\":true";
    if (marks.lag_us > 0) absl::StrAppend(&out, ",\"lag_us\":", marks.lag_us);
  }
  absl::StrAppend(&out, ",\"at\":", event.at.micros);
  if (event.position_hash && event.sequence % kPositionHashEvery == 0) {
    absl::StrAppend(&out, ",\"position\":\"", base::Hex(base::AsView(*event.position_hash)), "\"");
  }
  out += "}\n";
  return true;
}

class LinesReader {
 public:
  explicit LinesReader(uint32_t first_line) : line_(first_line) {}

  ReadRecord Read(std::string_view text) {
    size_t begin = 0;
    while (begin < text.size() && !ended_) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = text.substr(begin, end - begin);
      if (!line.empty() && !ReadLine(line, text.substr(0, begin))) return Refused();
      begin = end + 1;
      ++line_;
    }
    if (!ended_) {
      fault_ = "the record has no end";
      return Refused();
    }
    return {std::move(record_), {}, record_.game};
  }

 private:
  ReadRecord Refused() { return {std::nullopt, {line_, fault_}, record_.game}; }

  bool ReadLine(std::string_view line, std::string_view before) {
    if (line.size() > kMaxRecordLineBytes) return Fail("the line is too long");
    Json json;
    if (absl::Status wrong = ParseJson(line, json); !wrong.ok()) return Fail(wrong.message());
    JsonFields fields(json);
    if (!has_header_) return ReadHeader(fields);
    const std::string word = fields.Text("t");
    if (word == "end") return ReadEnd(fields, before);
    if (record_.events.size() >= kMaxRecordEvents) return Fail("the game is too long");
    return ReadEvent(word, fields);
  }

  bool ReadHeader(JsonFields& fields) {
    if (fields.Text("format") != kFormat) fields.Refuse("format", "is unknown");
    SetHeader(record_, fields);
    record_.extra = fields.Rest();
    has_header_ = true;
    return Take(fields);
  }

  bool ReadEvent(const std::string& word, JsonFields& fields) {
    RecordEvent event;
    event.line = line_;
    event.kind = RecordKind(word);
    if (event.kind == 0) fields.Refuse("t", "is no kind of event");
    event.sequence = static_cast<uint32_t>(fields.Int("n", 1, kMaxRecordEvents));
    if (event.sequence != record_.events.size() + 1) fields.Refuse("n", "is not the next number");
    if (RecordHasSeat(event.kind)) {
      event.seat = static_cast<int8_t>(fields.Int("seat", 0, record_.seats - 1));
    }
    if (fields.Has("v")) event.notation = fields.Text("v");
    SetFields(event, fields, record_.seats);
    if (event.kind == kRecordCreated) event.number = record_.seats;
    event.at.micros = fields.Int("at", 0, INT64_MAX);
    if (fields.Has("position")) event.position_hash = fields.Hash<32>("position");
    event.extra = fields.Rest();
    record_.events.push_back(std::move(event));
    return Take(fields);
  }

  bool ReadEnd(JsonFields& fields, std::string_view before) {
    record_.log_hash = fields.Hash<32>("log_hash");
    if (fields.Hash<32>("commitment") != record_.commitment) {
      fields.Refuse("commitment", "is not the header's");
    }
    if (fields.Has("lines") && fields.Hash<32>("lines") != base::Sha256(before)) {
      fields.Refuse("lines", "is not the SHA-256 of the lines before");
    }
    ended_ = true;
    return Take(fields);
  }

  bool Take(const JsonFields& fields) { return fields.ok() || Fail(fields.status().message()); }
  bool Fail(absl::string_view why) {
    fault_ = std::string(why);
    return false;
  }

  GameRecord record_;
  uint32_t line_;
  bool has_header_ = false;
  bool ended_ = false;
  std::string fault_;
};

}  // namespace

std::string WriteLines(const GameRecord& record) {
  std::string out;
  out.reserve((record.events.size() + 16) * kUsualLineBytes);
  Json header;
  header["format"] = kFormat;
  Merge(HeaderOf(record), header);
  Merge(record.extra, header);
  Append(header, out);
  for (const RecordEvent& event : record.events) {
    if (!AppendPlayed(event, out)) Append(LineOf(event, record.seats), out);
  }
  Json end;
  end["t"] = "end";
  end["log_hash"] = base::Hex(base::AsView(record.log_hash));
  end["commitment"] = base::Hex(base::AsView(record.commitment));
  end["lines"] = base::Hex(base::AsView(base::Sha256(out)));
  Append(end, out);
  return out;
}

ReadRecord ReadLines(std::string_view text, uint32_t first_line) {
  return LinesReader(first_line).Read(text);
}

}  // namespace astragal::algorithms
