#include "services/base/tls_files.h"

#include <openssl/ssl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace astragal::base {
namespace {

absl::Status Wrong(const std::string& what) {
  return absl::FailedPreconditionError("TLS: " + what);
}

absl::Status CheckKeyFile(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return Wrong(path + ": " + std::strerror(errno));
  if ((file.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Wrong(path + " is open to others; run chmod 600 on it");
  }
  return absl::OkStatus();
}

// gRPC would serve on, and refuse every connection.
absl::Status CheckPair(const std::string& certificate, const std::string& key) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_server_method()),
                                                                  &SSL_CTX_free);
  if (context == nullptr) return Wrong("the library cannot be used");
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) != 1) {
    return Wrong(certificate + " holds no certificate as PEM that can be read");
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Wrong(key + " holds no key that fits the certificate");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTlsFiles(const std::string& certificate, const std::string& key) {
  if (absl::Status wrong = CheckKeyFile(key); !wrong.ok()) return wrong;
  return CheckPair(certificate, key);
}

}  // namespace astragal::base
