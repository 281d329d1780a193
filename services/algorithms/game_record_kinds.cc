#include <algorithm>
#include <array>
#include <limits>

#include "services/algorithms/game_record.h"
#include "services/base/bytes.h"

namespace astragal::algorithms {
namespace {

// How the detail of a kind is shown.
enum class Detail : uint8_t { kNone, kPlayer, kBytes, kAction, kFinish, kHeader };

struct Kind {
  uint8_t kind;
  std::string_view word;
  bool has_seat;
  std::string_view number;  // its key; empty: it is 0, or shown in a way of its own
  Detail detail;
  std::string_view detail_key;
};

constexpr std::array kKinds = {
    Kind{1, "created", false, "", Detail::kHeader, ""},
    Kind{2, "seated", true, "", Detail::kPlayer, "player"},
    Kind{3, "started", false, "", Detail::kNone, ""},
    Kind{4, "throw", false, "", Detail::kNone, ""},
    Kind{5, "action", true, "action", Detail::kAction, ""},
    Kind{6, "resigned", true, "points", Detail::kNone, ""},
    Kind{7, "finished", false, "ending", Detail::kFinish, ""},
    Kind{8, "build", false, "", Detail::kBytes, "build"},
    Kind{9, "left", true, "", Detail::kNone, ""},
    Kind{10, "offered", true, "", Detail::kNone, ""},
    Kind{11, "answered", true, "accepts", Detail::kNone, ""},
    Kind{12, "undone", true, "actions", Detail::kNone, ""},
    Kind{13, "turn_ended", true, "", Detail::kNone, ""},
    Kind{14, "timed_out", true, "points", Detail::kNone, ""},
    Kind{15, "credited", true, "microseconds", Detail::kNone, ""},
    Kind{16, "invited", false, "", Detail::kNone, ""},
    Kind{17, "pledged", true, "", Detail::kBytes, "sha256"},
    Kind{18, "pledges_closed", false, "", Detail::kNone, ""},
    Kind{19, "contributed", true, "", Detail::kBytes, "bytes"},
};
constexpr uint8_t kOffered = 10;

// Flags of an action's detail.
constexpr uint8_t kKeepsTurn = 1;
constexpr uint8_t kGivesLagBack = 2;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

const Kind* Find(uint8_t kind) {
  const auto found = std::ranges::find(kKinds, kind, &Kind::kind);
  return found == kKinds.end() ? nullptr : &*found;
}

void PutFinish(const RecordEvent& event, size_t seats, Json& out) {
  base::ByteReader in(event.detail);
  Json places = Json::array();
  Json points = Json::array();
  for (size_t i = 0; i < seats; ++i) {
    places.push_back(in.Get<int32_t>());
    points.push_back(in.Get<int64_t>());
  }
  out["places"] = std::move(places);
  out["points"] = std::move(points);
  out["secret"] = base::Hex(in.Take(32));
}

std::vector<int64_t> Integers(JsonFields& fields, std::string_view key, size_t most, int64_t least,
                              int64_t greatest) {
  std::vector<int64_t> out;
  for (const Json& entry : fields.Array(key, most)) {
    const bool is_one = entry.is_number_integer();
    const int64_t value = is_one ? entry.get<int64_t>() : 0;
    if (!is_one || value < least || value > greatest) fields.Refuse(key, "has a wrong entry");
    out.push_back(value);
  }
  return out;
}

std::string ReadFinish(JsonFields& fields, size_t seats) {
  constexpr int64_t kInt32 = std::numeric_limits<int32_t>::max();
  const std::vector<int64_t> places = Integers(fields, "places", seats, 0, kInt32);
  const std::vector<int64_t> points = Integers(fields, "points", seats, -kMost, kMost);
  const std::string secret = fields.Hex("secret", 32, 32);
  if (places.size() != seats) fields.Refuse("places", "has not one entry for each seat");
  if (points.size() != seats) fields.Refuse("points", "has not one entry for each seat");
  if (!fields.ok()) return {};
  base::ByteWriter out;
  for (size_t i = 0; i < seats; ++i) out.Put(static_cast<int32_t>(places[i])).Put(points[i]);
  return out.Put(std::string_view(secret)).Take();
}

std::string ReadPlayer(JsonFields& fields, std::string_view key) {
  const std::optional<base::PlayerId> player = base::PlayerId::Parse(fields.Text(key));
  if (!player) fields.Refuse(key, "is no id");
  return player ? std::string(base::AsView(player->bytes())) : std::string();
}

template <typename Id>
Id ReadId(JsonFields& fields, std::string_view key) {
  const std::optional<Id> id = Id::Parse(fields.Text(key));
  if (!id) fields.Refuse(key, "is no id");
  return id.value_or(Id());
}

}  // namespace

std::string_view RecordWord(uint8_t kind) {
  const Kind* found = Find(kind);
  return found == nullptr ? std::string_view() : found->word;
}

uint8_t RecordKind(std::string_view word) {
  const auto found = std::ranges::find(kKinds, word, &Kind::word);
  return found == kKinds.end() ? uint8_t{0} : found->kind;
}

bool RecordHasSeat(uint8_t kind) {
  const Kind* found = Find(kind);
  return found != nullptr && found->has_seat;
}

ActionMarks ActionMarksOf(std::string_view detail) {
  ActionMarks marks;
  if (detail.empty()) return marks;
  base::ByteReader in(detail);
  const auto flags = in.Get<uint8_t>();
  marks.keeps_turn = (flags & kKeepsTurn) != 0;
  if ((flags & kGivesLagBack) != 0) marks.lag_us = in.Get<int64_t>();
  return marks;
}

std::string ActionDetailOf(const ActionMarks& marks) {
  const int flags = (marks.keeps_turn ? kKeepsTurn : 0) | (marks.lag_us > 0 ? kGivesLagBack : 0);
  if (flags == 0) return {};
  base::ByteWriter out;
  out.Put(static_cast<uint8_t>(flags));
  if (marks.lag_us > 0) out.Put(marks.lag_us);
  return out.Take();
}

Json FieldsOf(const RecordEvent& event, size_t seats) {
  Json out = Json::object();
  const Kind* kind = Find(event.kind);
  if (kind == nullptr) return out;
  const bool has_number = event.number != RecordEvent::kByNotation;
  if (event.kind == kRecordThrow && has_number) {
    out["kind"] = event.number >> 16;
    out["outcome"] = event.number & 0xFFFF;
  }
  if (event.kind == kOffered) {
    out["offer"] = event.number & 0xFF;
    out["points"] = event.number >> 8;
  }
  if (!kind->number.empty() && has_number) out[std::string(kind->number)] = event.number;
  const std::string key(kind->detail_key);
  switch (kind->detail) {
    case Detail::kNone:
    case Detail::kHeader:
      break;
    case Detail::kPlayer: {
      base::ByteReader in(event.detail);
      out[key] = base::PlayerId(in.GetArray<16>()).ToText();
      break;
    }
    case Detail::kBytes:
      out[key] = base::Hex(event.detail);
      break;
    case Detail::kAction: {
      const ActionMarks marks = ActionMarksOf(event.detail);
      if (marks.keeps_turn) out["keeps_turn"] = true;
      if (marks.lag_us > 0) out["lag_us"] = marks.lag_us;
      break;
    }
    case Detail::kFinish:
      PutFinish(event, seats, out);
      break;
  }
  return out;
}

void SetFields(RecordEvent& event, JsonFields& fields, size_t seats) {
  const Kind* kind = Find(event.kind);
  if (kind == nullptr) return;
  const bool played = event.kind == kRecordThrow || event.kind == kRecordAction;
  if (event.kind == kRecordThrow) {
    event.number = RecordEvent::kByNotation;
    if (fields.Has("kind") || event.notation.empty()) {
      event.number = fields.Int("kind", 0, 0xFFFF) << 16 | fields.Int("outcome", 0, 0xFFFF);
    }
  } else if (event.kind == kOffered) {
    event.number = fields.Int("points", 0, kMost >> 8) << 8 | fields.Int("offer", 0, 0xFF);
  } else if (played && !fields.Has(kind->number) && !event.notation.empty()) {
    event.number = RecordEvent::kByNotation;
  } else if (!kind->number.empty()) {
    event.number = fields.Int(kind->number, 0, kMost);
  }
  switch (kind->detail) {
    case Detail::kNone:
    case Detail::kHeader:
      break;
    case Detail::kPlayer:
      event.detail = ReadPlayer(fields, kind->detail_key);
      break;
    case Detail::kBytes:
      event.detail = fields.Hex(kind->detail_key, 1, 32);
      break;
    case Detail::kAction: {
      // Of the text format they stand behind the notation.
      if (!fields.Has("keeps_turn") && !fields.Has("lag_us")) break;
      ActionMarks marks;
      marks.keeps_turn = fields.Has("keeps_turn") && fields.Bool("keeps_turn");
      if (fields.Has("lag_us")) marks.lag_us = fields.Int("lag_us", 1, kMost);
      event.detail = ActionDetailOf(marks);
      break;
    }
    case Detail::kFinish:
      event.detail = ReadFinish(fields, seats);
      break;
  }
}

Json HeaderOf(const GameRecord& record) {
  Json out;
  out["game"] = record.game.ToText();
  out["ruleset"] = record.ruleset;
  out["rules_version"] = record.rules_version;
  out["build"] = record.build;
  out["options"] = record.options;
  Json text = Json::object();
  for (const auto& [name, value] : record.options_text) text[name] = value;
  out["options_text"] = std::move(text);
  out["seats"] = record.seats;
  out["seat_names"] = record.seat_names;
  out["created_by"] = record.created_by.ToText();
  out["restore_epoch"] = record.restore_epoch;
  out["commitment"] = base::Hex(base::AsView(record.commitment));
  out["visibility"] = record.visibility;
  out["rated"] = record.rated;
  out["clock"] = {record.clock_kind, record.reserve_ms, record.increment_ms, record.first_turn_ms};
  if (!record.reserves_ms.empty()) out["reserves_ms"] = record.reserves_ms;
  if (!record.match.is_nil()) out["match"] = record.match.ToText();
  if (record.match_game != 0) out["match_game"] = record.match_game;
  return out;
}

void SetHeader(GameRecord& record, JsonFields& fields) {
  constexpr size_t kMaxOptions = 255;
  record.game = ReadId<base::GameId>(fields, "game");
  record.ruleset = fields.Text("ruleset");
  if (record.ruleset.empty() || record.ruleset.size() > 64) fields.Refuse("ruleset", "is no id");
  record.rules_version =
      static_cast<uint32_t>(fields.Int("rules_version", 1, std::numeric_limits<int32_t>::max()));
  record.build = base::Hex(fields.Hex("build", 32, 32));
  record.options = Integers(fields, "options", kMaxOptions, -kMost, kMost);
  if (fields.Has("options_text")) {
    for (const auto& [name, value] : fields.Object("options_text").items()) {
      if (!value.is_string()) fields.Refuse("options_text", "has an entry that is no text");
      record.options_text.emplace_back(name, value.is_string() ? value.get<std::string>() : "");
    }
  }
  record.seats = static_cast<uint8_t>(fields.Int("seats", 1, 127));
  if (fields.Has("seat_names")) {
    for (const Json& name : fields.Array("seat_names", 127)) {
      if (!name.is_string()) fields.Refuse("seat_names", "has an entry that is no text");
      record.seat_names.push_back(name.is_string() ? name.get<std::string>() : "");
    }
  }
  record.created_by = ReadId<base::PlayerId>(fields, "created_by");
  record.restore_epoch =
      static_cast<uint32_t>(fields.Int("restore_epoch", 0, std::numeric_limits<int32_t>::max()));
  record.commitment = fields.Hash<32>("commitment");
  record.visibility = static_cast<uint8_t>(fields.Int("visibility", 1, 3));
  record.rated = fields.Bool("rated");
  const std::vector<int64_t> clock = Integers(fields, "clock", 4, 0, kMost);
  if (clock.size() != 4 || clock[0] > 4) {
    fields.Refuse("clock", "must be kind, reserve, increment and first turn");
  } else {
    record.clock_kind = static_cast<uint8_t>(clock[0]);
    record.reserve_ms = clock[1];
    record.increment_ms = clock[2];
    record.first_turn_ms = clock[3];
  }
  if (fields.Has("reserves_ms")) {
    record.reserves_ms = Integers(fields, "reserves_ms", 127, 0, kMost);
  }
  if (fields.Has("match")) record.match = ReadId<base::MatchId>(fields, "match");
  if (fields.Has("match_game")) {
    record.match_game = static_cast<uint16_t>(fields.Int("match_game", 1, 32'767));
  }
}

}  // namespace astragal::algorithms
