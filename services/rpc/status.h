// From our errors to gRPC's: the only place where a reason becomes google.rpc details. Any thread.
#ifndef ASTRAGAL_SERVICES_RPC_STATUS_H_
#define ASTRAGAL_SERVICES_RPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace astragal::rpc {

// The code as it is; exactly one ErrorInfo (domain "astragal") with the details as metadata, and
// BadRequest, RetryInfo, QuotaFailure or PreconditionFailure where the reason has one. A status
// without a reason becomes INTERNAL. What is our fault goes to the log under an incident id, and
// clients get that id alone.
grpc::Status ToGrpc(const absl::Status& status);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_STATUS_H_
