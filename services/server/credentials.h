// How a server may be reached: by TLS, or in plain text where nobody else listens.
#ifndef ASTRAGAL_SERVICES_SERVER_CREDENTIALS_H_
#define ASTRAGAL_SERVICES_SERVER_CREDENTIALS_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/server/options.h"

namespace grpc {
class ServerCredentials;
}  // namespace grpc

namespace astragal::server {

// How often the files are looked at: a new certificate serves the connections that begin later.
inline constexpr int kReadCertificateEveryS = 5;

// FAILED_PRECONDITION, with what to do, when a file cannot be read, others may read the key, key
// and certificate are not a pair, or plain text would leave this machine unasked.
absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> MakeCredentials(const Options& options);

// Whether what is sent to this address of gRPC's stays on this machine.
bool IsLoopback(std::string_view address);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_CREDENTIALS_H_
