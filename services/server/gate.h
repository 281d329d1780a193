// The services that a server has, and the gate before them as its options want it.
#ifndef ASTRAGAL_SERVICES_SERVER_GATE_H_
#define ASTRAGAL_SERVICES_SERVER_GATE_H_

#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "services/core/accounts.h"
#include "services/rpc/gate.h"
#include "services/server/options.h"

namespace astragal::server {

// Their full names: what the gate knows the methods of, and the health service answers for.
std::span<const char* const> ServiceNames();

// FAILED_PRECONDITION when a method of theirs has no row in the table of rights. `accounts` must
// outlive it.
absl::StatusOr<std::unique_ptr<rpc::Gate>> OpenGate(const Options& options,
                                                    const std::string& operator_key,
                                                    core::Accounts& accounts);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_GATE_H_
