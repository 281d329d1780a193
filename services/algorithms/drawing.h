// Any position of any ruleset as a picture, from what the ruleset says of it alone: geometry,
// pieces, throws and counters. There is no code here for a particular ruleset.
//
// Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_DRAWING_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_DRAWING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"

namespace astragal::algorithms {

// Everything a picture shows, already read from the ruleset.
struct Scene {
  std::string title;
  std::string caption;  // whose turn, or that the game is over
  std::vector<std::string> seat_names;
  std::vector<host::Place> places;
  std::vector<host::Piece> pieces;
  std::vector<host::Throw> throws;
  std::vector<host::Counter> counters;
  int actor = host::kChance;  // seat to act; its name is set off
};

// "game over: white won"; `places` as in a result, by seat, 1 is best. Of those who share the first
// place it says that they drew.
std::string CaptionOfEnd(const std::vector<std::string>& seat_names,
                         const std::vector<int>& places);

// RULESET_FAULT when the plugin breaks its contract.
absl::StatusOr<Scene> SceneOf(const host::Ruleset& ruleset, const host::Position& position);

struct DrawingOptions {
  int unit_pixels = 0;  // a unit square of the board, 8 .. 200; 0: so that the board fills a page
  bool labels = true;   // what the notation calls each place
};

// A complete SVG document (UTF-8), self-contained.
std::string DrawSvg(const Scene& scene, const DrawingOptions& options = {});

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_DRAWING_H_
