// What a record says beyond what a game is, as it is kept beside the game: a JSON object of event
// number ("0": the header) to keys and values. Pure functions.
#ifndef ASTRAGAL_SERVICES_RECORD_RECORD_EXTRAS_H_
#define ASTRAGAL_SERVICES_RECORD_RECORD_EXTRAS_H_

#include <string>

#include "services/algorithms/game_record.h"

namespace astragal::record {

// Empty: there is nothing.
std::string ExtrasOf(const algorithms::GameRecord& record);
void AddExtras(const std::string& extras, algorithms::GameRecord& record);

}  // namespace astragal::record

#endif  // ASTRAGAL_SERVICES_RECORD_RECORD_EXTRAS_H_
