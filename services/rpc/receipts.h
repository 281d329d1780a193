// Receipts as callers know them. Pure; any thread may call it.
#ifndef ASTRAGAL_SERVICES_RPC_RECEIPTS_H_
#define ASTRAGAL_SERVICES_RPC_RECEIPTS_H_

#include "astragal/v1/record_service.pb.h"
#include "services/core/receipts.h"

namespace astragal::rpc {

v1::Receipt ToProto(const core::Receipt& receipt);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_RECEIPTS_H_
