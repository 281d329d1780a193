// The plugin: the position type of this room as a ruleset.
#include "plugins/patolli/position.h"

ASTRAGAL_RULESET(astragal::patolli::Position);
