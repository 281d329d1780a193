#include "services/server/credentials.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include "services/base/tls_files.h"

namespace astragal::server {

bool IsLoopback(std::string_view address) {
  for (const std::string_view local : {"127.", "localhost:", "[::1]:", "unix:", "unix-abstract:"}) {
    if (address.starts_with(local)) return true;
  }
  return false;
}

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> MakeCredentials(const Options& options) {
  if (options.tls_certificate.empty()) {
    if (IsLoopback(options.listen) || options.plain_text_anywhere) {
      return grpc::InsecureServerCredentials();
    }
    return absl::FailedPreconditionError(
        "TLS: others could read the players' keys on their way to " + options.listen +
        "; give --tls-cert and --tls-key, or --plain-text-anywhere if something in front "
        "of this server speaks TLS");
  }
  const absl::Status wrong = base::CheckTlsFiles(options.tls_certificate, options.tls_key);
  if (!wrong.ok()) return wrong;
  grpc::experimental::TlsServerCredentialsOptions tls(
      std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
          options.tls_key, options.tls_certificate, options.operator_ca, kReadCertificateEveryS));
  tls.watch_identity_key_cert_pairs();
  if (options.operator_ca.empty()) {
    tls.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  } else {
    // Players have none; one that is shown must be of the authority.
    tls.watch_root_certs();
    tls.set_cert_request_type(GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return grpc::experimental::TlsServerCredentials(tls);
}

}  // namespace astragal::server
