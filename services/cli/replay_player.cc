#include "services/cli/replay_player.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "services/cli/board_text.h"

namespace astragal::cli {
namespace {

constexpr std::array kWaitsMs = {3'000, 1'500, 800, 400, 150, 50};
constexpr size_t kSteadySpeed = 2;
constexpr size_t kMaxDigits = 9;
constexpr std::string_view kKeys =
    "left/right: event   up/down: turn   space: play   +/-: speed   Home/End   "
    "NUMBER Enter: event   f: flip   q: quit\n";

constexpr std::string_view kBrackets = "()[]<>{}/\\";

char Mirrored(char c) {
  const size_t at = kBrackets.find(c);
  return at == std::string_view::npos ? c : kBrackets[at ^ 1];
}

bool IsWordPart(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

// Words keep the order of their letters, a sign stays before its number and a colon behind its
// word.
size_t EndOfWord(const std::string& line, size_t begin) {
  size_t end = begin;
  if (line[end] == '-' && end + 1 < line.size() && absl::ascii_isdigit(line[end + 1])) ++end;
  while (end < line.size() && IsWordPart(line[end])) ++end;
  if (end > begin && end < line.size() && (line[end] == ':' || line[end] == ',')) ++end;
  return end;
}

std::string TurnedLine(std::string line, size_t width) {
  line.resize(width, ' ');
  std::string turned(width, ' ');
  for (size_t begin = 0; begin < width;) {
    const size_t end = std::max(EndOfWord(line, begin), begin + 1);
    if (end == begin + 1) {
      turned[width - end] = Mirrored(line[begin]);
    } else {
      line.copy(turned.data() + width - end, end - begin, begin);
    }
    begin = end;
  }
  turned.erase(turned.find_last_not_of(' ') + 1);
  return turned;
}

}  // namespace

std::string TurnedRound(const std::string& board) {
  std::vector<std::string> lines = absl::StrSplit(absl::StripTrailingAsciiWhitespace(board), '\n');
  size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, line.size());
  std::reverse(lines.begin(), lines.end());
  for (std::string& line : lines) line = TurnedLine(std::move(line), width);
  return absl::StrJoin(lines, "\n") + "\n";
}

ReplayPlayer::ReplayPlayer(const v1::Game& game)
    : seats_(game), lines_(seats_), speed_(kSteadySpeed) {}

void ReplayPlayer::Add(const v1::StreamReplayResponse& step) {
  if (std::optional<TurnLine> line = lines_.Add(step.event())) turns_.push_back(*std::move(line));
  frames_.push_back(
      {step.event().sequence(), BoardText(step.position()), EventText(step.event(), seats_)});
}

void ReplayPlayer::Close() {
  if (std::optional<TurnLine> line = lines_.Close()) turns_.push_back(*std::move(line));
}

size_t ReplayPlayer::FrameOf(uint32_t sequence) const {
  const auto after = std::find_if(frames_.begin(), frames_.end(), [sequence](const Frame& frame) {
    return frame.sequence > sequence;
  });
  return after == frames_.begin() ? 0 : static_cast<size_t>(after - frames_.begin()) - 1;
}

size_t ReplayPlayer::TurnOf(uint32_t sequence) const {
  const auto turn = std::find_if(turns_.begin(), turns_.end(), [sequence](const TurnLine& line) {
    return sequence <= line.last_sequence;
  });
  return static_cast<size_t>(turn - turns_.begin());
}

void ReplayPlayer::GoTo(size_t frame) { at_ = std::min(frame, frames_.size() - 1); }

void ReplayPlayer::GoTurns(int turns) {
  const size_t now = TurnOf(sequence());
  if (turns < 0 && now == 0) return GoTo(0);
  const size_t wanted = turns < 0 ? now - 1 : now + 1;
  // In the middle of a turn, "next" is its end.
  const bool is_inside = turns > 0 && sequence() < turns_[now].last_sequence;
  const size_t turn = is_inside ? now : std::min(wanted, turns_.size() - 1);
  GoTo(FrameOf(turns_[turn].last_sequence));
}

void ReplayPlayer::PressEnter() {
  if (typed_.empty()) return GoTurns(1);
  uint32_t wanted = 0;
  std::from_chars(typed_.data(), typed_.data() + typed_.size(), wanted);
  typed_.clear();
  GoTo(FrameOf(wanted));
}

bool ReplayPlayer::Press(char key) {
  if (absl::ascii_isdigit(static_cast<unsigned char>(key))) {
    if (typed_.size() < kMaxDigits) typed_ += key;
    return true;
  }
  const bool was_playing = std::exchange(is_playing_, false);
  if (key == kEnter) {
    PressEnter();
    return true;
  }
  typed_.clear();
  switch (key) {
    case kRight:
      GoTo(at_ + 1);
      break;
    case kLeft:
      GoTo(at_ == 0 ? 0 : at_ - 1);
      break;
    case kDown:
      GoTurns(1);
      break;
    case kUp:
      GoTurns(-1);
      break;
    case kHome:
      GoTo(0);
      break;
    case kEnd:
      GoTo(frames_.size() - 1);
      break;
    case ' ':
      is_playing_ = !was_playing;
      if (is_playing_ && at_ + 1 == frames_.size()) GoTo(0);
      break;
    case '+':
    case '-':
      is_playing_ = was_playing;
      if (key == '+' && speed_ + 1 < kWaitsMs.size()) ++speed_;
      if (key == '-' && speed_ > 0) --speed_;
      break;
    case 'f':
      is_playing_ = was_playing;
      is_turned_ = !is_turned_;
      break;
    case 'q':
      return false;
    default:
      is_playing_ = was_playing;
      break;
  }
  return true;
}

void ReplayPlayer::Tick() {
  GoTo(at_ + 1);
  if (at_ + 1 == frames_.size()) is_playing_ = false;
}

std::optional<int> ReplayPlayer::wait_ms() const {
  if (!is_playing_) return std::nullopt;
  return kWaitsMs[speed_];
}

std::string ReplayPlayer::Screen() const {
  const Frame& frame = frames_[at_];
  const size_t turn = TurnOf(frame.sequence);
  std::string screen = is_turned_ ? TurnedRound(frame.board) : frame.board;
  screen += "\n" + std::to_string(frame.sequence) + " of " +
            std::to_string(frames_.back().sequence) + "  " + frame.event + "\n";
  if (turn < turns_.size() && turns_[turn].text != frame.event) {
    screen += "turn: " + turns_[turn].text + "\n";
  }
  screen += "\n";
  screen += kKeys;
  if (!typed_.empty()) screen += "event " + typed_ + "\n";
  return screen;
}

}  // namespace astragal::cli
