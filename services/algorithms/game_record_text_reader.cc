// ReadText.
#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "services/algorithms/game_record.h"
#include "services/algorithms/record_words.h"

namespace astragal::algorithms {
namespace {

class TextReader {
 public:
  explicit TextReader(uint32_t first_line) : line_(first_line) {}

  ReadRecord Read(std::string_view text) {
    size_t begin = 0;
    for (; begin < text.size() && !ended_; ++line_) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line = text.substr(begin, end - begin);
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      begin = end + 1;
      if (!line.empty() && !ReadLine(line)) {
        return {std::nullopt, {line_, fault_}, record_.game};
      }
    }
    if (!ended_) return {std::nullopt, {line_, "the record has no Result line"}, record_.game};
    return {std::move(record_), {}, record_.game};
  }

 private:
  bool Fail(std::string why) {
    fault_ = std::move(why);
    return false;
  }

  bool ReadLine(std::string_view line) {
    if (line.size() > kMaxRecordLineBytes) return Fail("the line is too long");
    if (line.front() == ';') return ReadComment(line.substr(1));
    if (line.front() == '[') return !in_events_ ? ReadTag(line) : Fail("a tag among the events");
    if (!in_events_ && !BeginEvents()) return false;
    if (line.starts_with("Result")) return ReadResult(line);
    return ReadEvents(line);
  }

  bool ReadTag(std::string_view line) {
    const size_t blank = line.find(' ');
    if (line.back() != ']' || blank == std::string_view::npos || line.size() < blank + 4 ||
        line[blank + 1] != '"' || line[line.size() - 2] != '"') {
      return Fail("is no tag: [Name \"value\"]");
    }
    const std::string tag(line.substr(1, blank - 1));
    const std::string_view quoted = line.substr(blank + 2, line.size() - blank - 4);
    std::string value;
    for (size_t i = 0; i < quoted.size(); ++i) {
      if (quoted[i] == '\\' && i + 1 < quoted.size()) ++i;
      value += quoted[i];
    }
    const std::string key = KeyOf(tag);
    Json json = value;
    if (!IsTextKey(key)) {
      Json parsed;
      if (ParseJson(value, parsed).ok()) json = std::move(parsed);
    }
    if (header_.contains(key)) return Fail(absl::StrCat("a second tag ", tag));
    header_[key] = std::move(json);
    raw_[key] = {tag, value, line_};
    return true;
  }

  bool ReadComment(std::string_view text) {
    const std::vector<std::string_view> words = WordsOf(text);
    // Other comments are remarks of people, and not kept.
    if (words.size() < 2 || words[1].front() != '{') return true;
    const std::optional<int64_t> number = WholeNumber(words[0]);
    Json extra;
    const size_t at = text.find('{');
    if (!number || !ParseJson(text.substr(at), extra).ok() || !extra.is_object()) return true;
    if (*number == 0) {
      for (const auto& [key, value] : extra.items()) odd_[key] = value;
      return true;
    }
    if (!in_events_ && !BeginEvents()) return false;
    const auto index = static_cast<size_t>(*number) - 1;
    if (*number < 0 || index >= record_.events.size()) {
      return Fail("the comment is about an event that is not there");
    }
    record_.events[index].extra = std::move(extra);
    return true;
  }

  bool BeginEvents() {
    in_events_ = true;
    const auto take = [this](std::string_view key) {
      const auto found = raw_.find(std::string(key));
      const std::string value = found == raw_.end() ? "" : found->second.value;
      header_.erase(std::string(key));
      return value;
    };
    const std::optional<std::string> hash = BytesFromHex(take("log_hash"));
    const std::optional<int64_t> start = MicrosOf(take("start"));
    if (!hash || hash->size() != 32) return Fail("the tag LogHash is missing, or no SHA-256");
    if (!start) return Fail("the tag Start is missing, or no number of seconds");
    std::ranges::copy(*hash, record_.log_hash.begin());
    JsonFields fields(header_);
    SetHeader(record_, fields);
    if (!fields.ok()) return Fail("tag " + std::string(fields.status().message()));
    const Json rest = fields.Rest();
    for (const auto& [key, value] : rest.items()) record_.extra[raw_[key].tag] = raw_[key].value;
    for (const auto& [key, value] : odd_.items()) record_.extra[key] = value;
    RecordEvent created;
    created.kind = kRecordCreated;
    created.sequence = 1;
    created.number = record_.seats;
    created.at.micros = *start;
    created.line = line_;
    record_.events.push_back(std::move(created));
    return true;
  }

  bool ReadEvents(std::string_view line) {
    std::vector<int64_t> times;
    const size_t brace = line.rfind('{');
    if (line.back() == '}' && brace != std::string_view::npos && !IsGenericValue(line, brace)) {
      const std::string_view inside = line.substr(brace + 1, line.size() - brace - 2);
      for (const std::string_view word : WordsOf(inside)) {
        const std::optional<int64_t> micros = MicrosOf(word);
        if (!micros) return Fail(absl::StrCat("\"", Absl(word), "\" is no number of seconds"));
        times.push_back(*micros);
      }
      line = line.substr(0, brace);
    }
    std::vector<std::string_view> words = WordsOf(line);
    const bool numbered = !words.empty() && words[0].size() > 1 && words[0].back() == '.';
    const std::optional<int64_t> number =
        numbered ? WholeNumber(words[0].substr(0, words[0].size() - 1)) : std::nullopt;
    if (!number) return Fail("a line begins with the number of its event and a dot");
    if (*number != static_cast<int64_t>(record_.events.size()) + 1) {
      return Fail(absl::StrCat("event ", record_.events.size() + 1, " is next, not ", *number));
    }
    words.erase(words.begin());
    const size_t before = record_.events.size();
    const uint8_t kind = words.empty() ? uint8_t{0} : RecordKind(words[0]);
    if (!(kind != 0 ? ReadOther(kind, words) : ReadTurn(words))) return false;
    if (times.size() > record_.events.size() - before) return Fail("more times than events");
    for (size_t i = before; i < record_.events.size(); ++i) {
      const int64_t delta = i - before < times.size() ? times[i - before] : 0;
      record_.events[i].at.micros = record_.events[i - 1].at.micros + delta;
    }
    return true;
  }

  // A value of a field ends with a brace only if it is an object, and we write none.
  static bool IsGenericValue(std::string_view line, size_t brace) {
    return brace > 0 && line[brace - 1] == '=';
  }

  bool Add(RecordEvent event) {
    if (record_.events.size() >= kMaxRecordEvents) return Fail("the game is too long");
    event.sequence = static_cast<uint32_t>(record_.events.size()) + 1;
    event.line = line_;
    record_.events.push_back(std::move(event));
    return true;
  }

  bool ReadSeat(std::string_view word, int8_t& seat) {
    const std::optional<int64_t> number =
        word.size() > 1 && word[0] == 'S' ? WholeNumber(word.substr(1)) : std::nullopt;
    if (!number || *number < 0 || *number >= record_.seats) return Fail("no seat of this game");
    seat = static_cast<int8_t>(*number);
    return true;
  }

  bool ReadOther(uint8_t kind, const std::vector<std::string_view>& words) {
    RecordEvent event;
    event.kind = kind;
    size_t at = 1;
    if (RecordHasSeat(kind)) {
      if (words.size() < 2) return Fail("the seat is missing");
      if (!ReadSeat(words[at++], event.seat)) return false;
    }
    Json json = Json::object();
    for (; at < words.size(); ++at) {
      const size_t equals = words[at].find('=');
      Json value;
      if (equals == std::string_view::npos ||
          !ParseJson(words[at].substr(equals + 1), value).ok()) {
        return Fail(absl::StrCat("\"", Absl(words[at]), "\" is no KEY=VALUE"));
      }
      json[std::string(words[at].substr(0, equals))] = std::move(value);
    }
    JsonFields fields(json);
    SetFields(event, fields, record_.seats);
    if (!fields.ok()) return Fail(std::string(fields.status().message()));
    event.extra = fields.Rest();
    return Add(std::move(event));
  }

  bool ReadTurn(std::vector<std::string_view> words) {
    int8_t seat = -1;
    const bool has_seat = !words.empty() && words[0].size() > 1 && words[0][0] == 'S' &&
                          WholeNumber(words[0].substr(1)).has_value() && words.size() > 1;
    if (has_seat && !ReadSeat(words[0], seat)) return false;
    if (has_seat) words.erase(words.begin());
    const auto colon =
        std::ranges::find_if(words, [](std::string_view w) { return w.back() == ':'; });
    const size_t throws = colon == words.end() ? 0 : static_cast<size_t>(colon - words.begin()) + 1;
    if (words.empty()) return Fail("the line says nothing");
    for (size_t i = 0; i < words.size(); ++i) {
      RecordEvent event;
      event.number = RecordEvent::kByNotation;
      event.kind = i < throws ? kRecordThrow : kRecordAction;
      std::string_view word = words[i];
      if (i + 1 == throws) word.remove_suffix(1);
      if (i >= throws) {
        if (seat < 0) return Fail("an action without its seat");
        event.seat = seat;
        if (!ReadMarks(word, event.detail)) return Fail("no number of seconds after ^");
      }
      const std::optional<std::string> notation = FromWord(word);
      if (!notation || notation->empty()) {
        return Fail(absl::StrCat("\"", Absl(word), "\" is no notation"));
      }
      event.notation = *notation;
      if (!Add(std::move(event))) return false;
    }
    return true;
  }

  // Takes the marks off the end of an action's word.
  static bool ReadMarks(std::string_view& word, std::string& detail) {
    ActionMarks marks;
    if (const size_t lag = word.rfind(kLagMark); lag != std::string_view::npos) {
      const std::optional<int64_t> micros = MicrosOf(word.substr(lag + 1));
      if (!micros || *micros == 0) return false;
      marks.lag_us = *micros;
      word = word.substr(0, lag);
    }
    marks.keeps_turn = word.ends_with(kKeptMark);
    if (marks.keeps_turn) word.remove_suffix(1);
    detail = ActionDetailOf(marks);
    return true;
  }

  bool ReadResult(std::string_view line) {
    const std::string expected = "Result " + ResultOf(record_);
    if (record_.events.back().kind != kRecordFinished) return Fail("the game has not ended");
    if (line != expected) return Fail(absl::StrCat("the events say: ", expected));
    ended_ = true;
    return true;
  }

  struct Tag {
    std::string tag;
    std::string value;
    uint32_t line = 0;
  };

  GameRecord record_;
  uint32_t line_;
  Json header_ = Json::object();
  Json odd_ = Json::object();
  std::map<std::string, Tag> raw_;
  bool in_events_ = false;
  bool ended_ = false;
  std::string fault_;
};

}  // namespace

ReadRecord ReadText(std::string_view text, uint32_t first_line) {
  return TextReader(first_line).Read(text);
}

}  // namespace astragal::algorithms
