#include <astragal/ruleset.hpp>

#include "plugins/long_narde/position.h"

ASTRAGAL_RULESET(astragal::long_narde::Position);
