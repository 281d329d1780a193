// From an address that somebody typed to a channel of gRPC's.
#ifndef ASTRAGAL_SERVICES_CLI_CHANNEL_H_
#define ASTRAGAL_SERVICES_CLI_CHANNEL_H_

#include <memory>
#include <string>

namespace grpc {
class Channel;
class ChannelArguments;
}  // namespace grpc

namespace astragal::cli {

// HOST:PORT in plain text; https://HOST[:PORT] (port 443) by TLS, with the machine's authorities or
// those of the file that GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names, and with the caller's own
// certificate of ASTRAGAL_CLIENT_CERT and ASTRAGAL_CLIENT_KEY if there is one.
std::shared_ptr<grpc::Channel> OpenChannel(const std::string& server,
                                           const grpc::ChannelArguments& arguments);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_CHANNEL_H_
