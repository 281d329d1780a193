// The plugin's entry; the rules are in position.h.
#include <astragal/ruleset.hpp>

#include "plugins/ashtapada/position.h"

ASTRAGAL_RULESET(astragal::ashtapada::Position);
