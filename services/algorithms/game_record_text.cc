// WriteText.
#include "absl/strings/str_cat.h"
#include "services/algorithms/game_record.h"
#include "services/algorithms/record_words.h"

namespace astragal::algorithms {
namespace {

bool IsPlayed(const RecordEvent& event) {
  return event.kind == kRecordThrow || event.kind == kRecordAction;
}

class TextWriter {
 public:
  explicit TextWriter(const GameRecord& record) : record_(record) {}

  std::string Write() {
    const Json header = HeaderOf(record_);
    for (const auto& [key, value] : header.items()) {
      Tag(TagOf(key), value.is_string() ? value.get<std::string>() : Dump(value));
    }
    Tag("LogHash", base::Hex(base::AsView(record_.log_hash)));
    if (!record_.events.empty()) Tag("Start", Seconds(record_.events.front().at.micros));
    Json odd = Json::object();
    for (const auto& [key, value] : record_.extra.items()) {
      IsTag(key) && value.is_string() ? Tag(key, value.get<std::string>())
                                      : static_cast<void>(odd[key] = value);
    }
    if (!odd.empty()) absl::StrAppend(&out_, "; 0 ", Dump(odd), "\n");
    out_ += '\n';
    for (size_t i = 0; i < record_.events.size();) i = Line(i);
    return out_ + "Result " + ResultOf(record_) + "\n";
  }

 private:
  void Tag(std::string_view tag, std::string_view value) {
    absl::StrAppend(&out_, "[", Absl(tag), " ", Quoted(value), "]\n");
  }

  // The line that begins with event `first`; returns the first event that is not on it.
  size_t Line(size_t first) {
    const std::vector<RecordEvent>& events = record_.events;
    if (first == 0) {
      Extra(events[0]);
      return 1;
    }
    size_t end = first + 1;
    absl::StrAppend(&out_, events[first].sequence, ".");
    if (!IsPlayed(events[first])) {
      Other(events[first]);
    } else {
      while (end < events.size() && Belongs(events[first], events[end - 1], events[end])) ++end;
      Turn(first, end);
    }
    Times(first, end);
    for (size_t i = first; i < end; ++i) Extra(events[i]);
    return end;
  }

  // Throws, then actions of one seat.
  static bool Belongs(const RecordEvent& first, const RecordEvent& last, const RecordEvent& next) {
    if (next.kind == kRecordThrow) return last.kind == kRecordThrow;
    if (next.kind != kRecordAction) return false;
    return last.kind == kRecordThrow || last.seat == next.seat || first.seat == next.seat;
  }

  void Turn(size_t first, size_t end) {
    const std::vector<RecordEvent>& events = record_.events;
    if (events[end - 1].kind == kRecordAction) absl::StrAppend(&out_, " S", events[end - 1].seat);
    for (size_t i = first; i < end; ++i) {
      out_ += " " + Word(events[i].notation);
      const bool is_throw = events[i].kind == kRecordThrow;
      if (!is_throw) Marks(ActionMarksOf(events[i].detail));
      if (is_throw && (i + 1 == end || events[i + 1].kind != kRecordThrow)) out_ += ":";
    }
  }

  void Marks(const ActionMarks& marks) {
    if (marks.keeps_turn) out_ += kKeptMark;
    if (marks.lag_us > 0) out_ += kLagMark + Seconds(marks.lag_us);
  }

  void Other(const RecordEvent& event) {
    absl::StrAppend(&out_, " ", Absl(RecordWord(event.kind)));
    if (RecordHasSeat(event.kind)) absl::StrAppend(&out_, " S", event.seat);
    const Json fields = FieldsOf(event, record_.seats);
    for (const auto& [key, value] : fields.items())
      absl::StrAppend(&out_, " ", key, "=", Dump(value));
  }

  void Times(size_t first, size_t end) {
    std::vector<std::string> times;
    size_t used = 0;
    for (size_t i = first; i < end; ++i) {
      times.push_back(Seconds(record_.events[i].at.micros - record_.events[i - 1].at.micros));
      if (times.back() != "0") used = times.size();
    }
    for (size_t i = 0; i < used; ++i) out_ += (i == 0 ? " {" : " ") + times[i];
    out_ += used == 0 ? "\n" : "}\n";
  }

  void Extra(const RecordEvent& event) {
    if (!event.extra.empty()) {
      absl::StrAppend(&out_, "; ", event.sequence, " ", Dump(event.extra), "\n");
    }
  }

  const GameRecord& record_;
  std::string out_;
};

}  // namespace

std::string WriteText(const GameRecord& record) { return TextWriter(record).Write(); }

}  // namespace astragal::algorithms
