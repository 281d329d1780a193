// What a server says of a position, as a scene to draw: no ruleset is needed on this machine.
#ifndef ASTRAGAL_SERVICES_CLI_SCENE_H_
#define ASTRAGAL_SERVICES_CLI_SCENE_H_

#include "astragal/v1/game.pb.h"
#include "astragal/v1/ruleset_service.pb.h"
#include "services/algorithms/drawing.h"

namespace astragal::cli {

algorithms::Scene SceneOf(const v1::Ruleset& ruleset, const v1::Game& game,
                          const v1::GetGeometryResponse& geometry, const v1::Position& position);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_SCENE_H_
