#include "services/cli/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <string_view>

namespace astragal::cli {
namespace {

constexpr std::string_view kTls = "https://";

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
  return grpc::CreateCustomChannel(address, grpc::SslCredentials({}), arguments);
}

}  // namespace astragal::cli
