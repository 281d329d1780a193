// A whole game as one HTML file that needs nothing else: the board as `astragal draw` draws it, the
// turns as a list, buttons and keys. What surrounds the game is replay_page.html.
//
// Pure; used by one thread.
#ifndef ASTRAGAL_SERVICES_CLI_REPLAY_PAGE_H_
#define ASTRAGAL_SERVICES_CLI_REPLAY_PAGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "astragal/v1/history_service.pb.h"
#include "astragal/v1/ruleset_service.pb.h"
#include "services/cli/event_text.h"
#include "services/cli/seats.h"

namespace astragal::cli {

// The page with %TITLE%, %ABOUT%, %RESULT% (text) and %GAME% (JSON) in place of the game:
// {"pieces": [line of a drawing], "frames": [{"n": sequence, "t": what happened, "d": [index into
// pieces]}], "turns": [{"f": first sequence, "l": last sequence, "t": the turn}]}.
extern const std::string_view kReplayPage;

class ReplayPage {
 public:
  ReplayPage(v1::Ruleset ruleset, v1::Game game, v1::GetGeometryResponse geometry);

  // Events in order, each with the position after it.
  void Add(const v1::StreamReplayResponse& step);
  // The document (UTF-8); the object is of no use afterwards.
  std::string Finish();

 private:
  struct Frame {
    uint32_t sequence = 0;
    std::string text;              // what happened
    std::vector<uint32_t> pieces;  // of the drawing, as indices into pieces_
  };

  uint32_t PieceOf(const std::string& line);

  const v1::Ruleset ruleset_;
  const v1::Game game_;
  const v1::GetGeometryResponse geometry_;
  const Seats seats_;
  TurnLines lines_;
  std::vector<Frame> frames_;
  std::vector<TurnLine> turns_;
  // Drawings differ in few lines: each line is kept once.
  std::vector<std::string> pieces_;
  std::map<std::string, uint32_t> piece_numbers_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_REPLAY_PAGE_H_
