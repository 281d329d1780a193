#include "services/cli/replay_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_replace.h"
#include "services/algorithms/drawing.h"
#include "services/algorithms/svg.h"
#include "services/cli/scene.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

using nlohmann::ordered_json;

bool IsOver(const v1::Game& game) {
  return game.status() == v1::GAME_STATUS_FINISHED || game.status() == v1::GAME_STATUS_ABORTED;
}

// JSON that can stand in a script: nothing in it ends the element.
std::string ScriptJson(const ordered_json& json) {
  const std::string text = json.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  return absl::StrReplaceAll(text, {{"<", "\\u003c"}});
}

}  // namespace

ReplayPage::ReplayPage(v1::Ruleset ruleset, v1::Game game, v1::GetGeometryResponse geometry)
    : ruleset_(std::move(ruleset)),
      game_(std::move(game)),
      geometry_(std::move(geometry)),
      seats_(game_),
      lines_(seats_) {}

uint32_t ReplayPage::PieceOf(const std::string& line) {
  const auto [place, is_new] =
      piece_numbers_.try_emplace(line, static_cast<uint32_t>(pieces_.size()));
  if (is_new) pieces_.push_back(line);
  return place->second;
}

void ReplayPage::Add(const v1::StreamReplayResponse& step) {
  if (std::optional<TurnLine> closed = lines_.Add(step.event())) turns_.push_back(*closed);
  Frame frame;
  frame.sequence = step.event().sequence();
  frame.text = EventText(step.event(), seats_);
  const std::string svg = algorithms::DrawSvg(SceneOf(ruleset_, game_, geometry_, step.position()));
  for (size_t begin = 0; begin < svg.size();) {
    const size_t end = std::min(svg.find('\n', begin), svg.size());
    frame.pieces.push_back(PieceOf(svg.substr(begin, end - begin)));
    begin = end + 1;
  }
  frames_.push_back(std::move(frame));
}

std::string ReplayPage::Finish() {
  if (std::optional<TurnLine> last = lines_.Close()) turns_.push_back(*last);
  ordered_json data;
  data["pieces"] = pieces_;
  data["frames"] = ordered_json::array();
  for (const Frame& frame : frames_) {
    data["frames"].push_back({{"n", frame.sequence}, {"t", frame.text}, {"d", frame.pieces}});
  }
  data["turns"] = ordered_json::array();
  for (const TurnLine& turn : turns_) {
    data["turns"].push_back(
        {{"f", turn.first_sequence}, {"l", turn.last_sequence}, {"t", turn.text}});
  }
  std::vector<std::string> who;
  for (const v1::Seat& seat : game_.seats()) who.push_back(seats_.Who(seat.seat()));
  const std::string title = ruleset_.name() + ": " + Join(who, " - ");
  const std::string about =
      "Game " + game_.game_id() + ", " + TimeText(game_.create_time()) + " UTC";
  const std::string result =
      IsOver(game_) ? ResultText({game_.seats().begin(), game_.seats().end()}, game_.ending())
                    : "The game goes on.";
  // One pass: what is filled in is not looked at again.
  return absl::StrReplaceAll(absl::string_view(kReplayPage.data(), kReplayPage.size()),
                             {{"%TITLE%", algorithms::EscapeXml(title)},
                              {"%ABOUT%", algorithms::EscapeXml(about)},
                              {"%RESULT%", algorithms::EscapeXml(result)},
                              {"%GAME%", ScriptJson(data)}});
}

}  // namespace astragal::cli
