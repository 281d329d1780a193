// A finished game written down, in two formats that lose nothing, and a third one for people.
//
//   lines    JSON Lines (.rgl), for programs: a header, one event a line, an end with hashes
//   text     tags and turns (.rgn), for people and programs
//   columns  the two columns that players of Long Narde know (.mat); it cannot be read back
//
// RECORDS.md describes them. A record holds what the log of the game holds, but for its hashes: the
// position hash of every 16th event and the hash of the whole log are enough to know that what is
// replayed is what was played. In the text format throws and actions are known by their notation
// alone; whoever replays the record finds their numbers. Keys that this program does not know are
// kept.
//
// Pure functions and values; any thread may call them. Nothing here knows any rules.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_GAME_RECORD_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_GAME_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/algorithms/json_fields.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::algorithms {

// Bounds of what is read; a record over them is refused.
inline constexpr size_t kMaxRecordEvents = 100'000;
inline constexpr size_t kMaxRecordLineBytes = 64 * 1024;

struct RecordEvent {
  static constexpr int64_t kByNotation = -1;  // of `number`

  uint32_t sequence = 0;
  uint8_t kind = 0;  // as storage::EventKind
  int8_t seat = -1;  // where the kind has one
  // As stored; of a throw or action kByNotation when only `notation` is known.
  int64_t number = 0;
  std::string detail;  // as stored; of the creation empty: it is what the header says
  base::Instant at;
  std::string notation;                        // of a throw or action
  std::optional<base::Bytes32> position_hash;  // after it, where the record says so
  Json extra;                                  // keys that are not ours; null: none
  uint32_t line = 0;                           // where it was read
};

struct GameRecord {
  base::GameId game;
  std::string ruleset;
  uint32_t rules_version = 0;
  std::string build;                                              // 64 hexadecimal digits
  std::vector<int64_t> options;                                   // in the ruleset's order
  std::vector<std::pair<std::string, std::string>> options_text;  // the same for people
  uint8_t seats = 0;
  std::vector<std::string> seat_names;  // for people
  base::PlayerId created_by;
  uint32_t restore_epoch = 0;
  base::Bytes32 commitment{};
  uint8_t visibility = 1;  // as storage::Visibility
  bool rated = false;
  uint8_t clock_kind = 0;  // as storage::ClockKind
  int64_t reserve_ms = 0;
  int64_t increment_ms = 0;
  int64_t first_turn_ms = 0;
  std::vector<int64_t> reserves_ms;
  base::MatchId match;  // nil: of none
  uint16_t match_game = 0;
  Json extra = Json::object();  // keys of the header that are not ours
  std::vector<RecordEvent> events;
  base::Bytes32 log_hash{};  // of the whole log
};

// Where a record is wrong.
struct RecordFault {
  uint32_t line = 0;  // from 1
  std::string reason;
};

struct ReadRecord {
  std::optional<GameRecord> record;  // unset: see `fault`
  RecordFault fault;
  base::GameId game;  // as far as it was read
};

std::string WriteLines(const GameRecord& record);
std::string WriteText(const GameRecord& record);

// `first_line` is the number of the first line in the file it comes from.
ReadRecord ReadLines(std::string_view text, uint32_t first_line = 1);
ReadRecord ReadText(std::string_view text, uint32_t first_line = 1);

// One record's part of a file.
struct RecordPart {
  std::string_view text;
  uint32_t first_line = 1;
};
// Cuts a file, of one format or both, where records begin; what stands before the first one belongs
// to it. Empty lines between records belong to nobody.
std::vector<RecordPart> SplitRecords(std::string_view file);
// In whichever format it is.
ReadRecord ReadPart(const RecordPart& part);

// For people; a game of two seats. `players` are names by seat.
std::string WriteColumns(const GameRecord& record, const std::vector<std::string>& players);

// ---- What a kind of event holds (game_record_kinds.cc), for the formats.

inline constexpr uint8_t kRecordCreated = 1;
inline constexpr uint8_t kRecordThrow = 4;
inline constexpr uint8_t kRecordAction = 5;
inline constexpr uint8_t kRecordFinished = 7;

// The word of a kind; empty for one that is unknown.
std::string_view RecordWord(uint8_t kind);
uint8_t RecordKind(std::string_view word);  // 0: none
bool RecordHasSeat(uint8_t kind);
// What the detail of an action says, as core::EncodeAction writes it.
struct ActionMarks {
  bool keeps_turn = false;
  int64_t lag_us = 0;  // given back to the running clock
};
ActionMarks ActionMarksOf(std::string_view detail);
std::string ActionDetailOf(const ActionMarks& marks);
// What number and detail say, by key. Of throws and actions: without the notation.
Json FieldsOf(const RecordEvent& event, size_t seats);
// The same back into number and detail.
void SetFields(RecordEvent& event, JsonFields& fields, size_t seats);

// Of the creation event: no field of its own, but the header.
Json HeaderOf(const GameRecord& record);
void SetHeader(GameRecord& record, JsonFields& fields);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_GAME_RECORD_H_
