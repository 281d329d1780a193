// Request ids that the server makes by itself, for what any node may start and one must: a game
// that a proposal becomes, the next game of a match, a game of a batch.
//
// They follow from what they start, so that everybody makes the same one. So that nobody can use
// one up before it is needed, they are UUIDs of version 8 (RFC 9562, section 5.8), which no caller
// may send. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_BASE_DERIVED_REQUEST_H_
#define ASTRAGAL_SERVICES_BASE_DERIVED_REQUEST_H_

#include <string_view>

#include "services/base/ids.h"

namespace astragal::base {

// The first 16 bytes of SHA-256 over `text`, but for the six bits that say version and variant.
RequestId DeriveRequestId(std::string_view text);

// Whether this is a UUID of version 8.
bool IsDerived(const RequestId& id);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_DERIVED_REQUEST_H_
