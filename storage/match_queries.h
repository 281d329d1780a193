// The statements of PgMatchStore. Internal to storage; the tests read their plans.
#ifndef ASTRAGAL_STORAGE_MATCH_QUERIES_H_
#define ASTRAGAL_STORAGE_MATCH_QUERIES_H_

#include "storage/connection.h"

namespace astragal::storage {

extern const Statement kGetMatch;     // $1 id
extern const Statement kListMatches;  // $1 before, $2 limit, $3 player, $4 whether hidden ones too

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_MATCH_QUERIES_H_
