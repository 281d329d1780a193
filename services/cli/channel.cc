#include "services/cli/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace astragal::cli {
namespace {

constexpr std::string_view kTls = "https://";

// The file that a variable of the environment names; empty without one.
std::string FileOf(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A certificate of one's own is for operators alone; servers ask nobody else for one.
grpc::SslCredentialsOptions TlsOptions() {
  grpc::SslCredentialsOptions options;
  options.pem_cert_chain = FileOf("ASTRAGAL_CLIENT_CERT");
  options.pem_private_key = FileOf("ASTRAGAL_CLIENT_KEY");
  return options;
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& server,
                                           const grpc::ChannelArguments& arguments) {
  if (!server.starts_with(kTls)) {
    return grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(), arguments);
  }
  std::string address = server.substr(kTls.size());
  while (address.ends_with('/')) address.pop_back();
  // A colon after the bracket of an IPv6 address, or the only one.
  const size_t host_ends = address.rfind(']') == std::string::npos ? 0 : address.rfind(']');
  if (address.find(':', host_ends) == std::string::npos) address += ":443";
  return grpc::CreateCustomChannel(address, grpc::SslCredentials(TlsOptions()), arguments);
}

}  // namespace astragal::cli
