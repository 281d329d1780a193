#include "tests/e2e/service.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>

#include "grpc/health/v1/health.pb.h"
#include "storage/cluster_files.h"

namespace astragal::e2e {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

constexpr milliseconds kPoll(10);

[[noreturn]] void Give(const std::string& why) {
  std::cerr << "astragald for the tests: " << why << std::endl;
  std::abort();
}

// A port that nobody uses now; whoever asks next gets another one.
int FreePort() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || ::bind(listener, any, length) != 0 ||
      ::getsockname(listener, any, &length) != 0) {
    Give("no free port");
  }
  ::close(listener);
  return ntohs(address.sin_port);
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The processes whose parent is `parent`.
std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = Read(entry.path() / "stat");  // "PID (NAME) STATE PARENT ..."
    const size_t after_name = stat.rfind(')');
    if (after_name == std::string::npos) continue;
    std::istringstream rest(stat.substr(after_name + 1));
    std::string state;
    pid_t its_parent = 0;
    if (rest >> state >> its_parent && its_parent == parent) children.push_back(std::stoi(name));
  }
  return children;
}

// A zombie counts as gone: its parent may take its time.
bool IsGone(pid_t pid) {
  const std::string stat = Read("/proc/" + std::to_string(pid) + "/stat");
  const size_t after_name = stat.rfind(')');
  return after_name == std::string::npos || stat.compare(after_name, 3, ") Z") == 0;
}

pid_t Spawn(const std::vector<std::string>& arguments, const std::string& output) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int log = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) {
    ::close(log);
    ::close(nothing);
    if (child < 0) Give("cannot fork");
    return child;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  ::dup2(nothing, 0);
  ::dup2(log, 1);
  ::dup2(log, 2);
  ::close_range(3, ~0U, 0);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

Service::Service(std::string database_url, const std::string& key_file)
    : database_url_(std::move(database_url)), address_("127.0.0.1:" + std::to_string(FreePort())) {
  fs::create_directories(data_dir());
  if (!key_file.empty()) {
    fs::copy_file(key_file, this->key_file());
    ::chmod(this->key_file().c_str(), 0600);
  }
}

Service::~Service() {
  if (running()) Terminate();
  if (running()) Kill();
}

std::vector<std::string> Service::Arguments() const {
  std::vector<std::string> arguments = {ASTRAGAL_BUILD_DIR "/bin/astragald",
                                        "--listen",
                                        address_,
                                        "--data-dir",
                                        data_dir(),
                                        "--plugins",
                                        ASTRAGAL_BUILD_DIR "/plugins"};
  if (!database_url_.empty()) {
    arguments.insert(arguments.end(), {"--database-url", database_url_});
  }
  return arguments;
}

void Service::Start() {
  pid_ = Spawn(Arguments(), log_file());
  const std::shared_ptr<grpc::Channel> channel = Connect();
  const Steady::time_point give_up = Steady::now() + milliseconds(kStartTimeoutMs);
  while (Health(channel, "") != grpc::health::v1::HealthCheckResponse::SERVING) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) Give("it ended at once:\n" + log());
    if (Steady::now() > give_up) Give("it does not serve:\n" + log());
    std::this_thread::sleep_for(kPoll);
  }
}

int Service::Await(int timeout_ms) {
  const Steady::time_point give_up = Steady::now() + milliseconds(timeout_ms);
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) != pid_) {
    if (Steady::now() > give_up) return -1;
    std::this_thread::sleep_for(kPoll);
  }
  pid_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int Service::Terminate(int timeout_ms) {
  ::kill(pid_, SIGTERM);
  return Await(timeout_ms);
}

void Service::Kill() {
  ::kill(pid_, SIGKILL);
  Await(10'000);
}

void Service::KillDatabase(bool for_good) {
  // The service may be about to start it again after it was killed the last time.
  const Steady::time_point give_up = Steady::now() + milliseconds(kStartTimeoutMs);
  std::optional<storage::Postmaster> server = storage::RunningPostmaster(cluster());
  for (; !server; server = storage::RunningPostmaster(cluster())) {
    if (Steady::now() > give_up) Give("its PostgreSQL does not run");
    std::this_thread::sleep_for(kPoll);
  }
  ::kill(server->pid, SIGSTOP);  // it has no more children from now on
  std::vector<pid_t> all = ChildrenOf(server->pid);
  all.push_back(server->pid);
  if (for_good) fs::rename(cluster(), cluster() + ".away");
  for (const pid_t pid : all) ::kill(pid, SIGKILL);
  for (const pid_t pid : all) {
    while (!IsGone(pid)) std::this_thread::sleep_for(kPoll);
  }
}

void Service::BringDatabaseBack() const { fs::rename(cluster() + ".away", cluster()); }

std::string Service::log() const { return Read(log_file()); }

std::string Service::database_url() const {
  const std::optional<storage::Postmaster> server = storage::RunningPostmaster(cluster());
  if (!server) Give("its PostgreSQL does not run");
  return "host=" + server->socket_dir + " port=" + std::to_string(storage::kClusterPort) +
         " user=astragal dbname=astragal";
}

std::shared_ptr<grpc::Channel> Service::Connect() const {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A restarted service should be found at once.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 100);
  return grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), arguments);
}

Service& SharedService() {
  static Service service;
  if (!service.running()) service.Start();
  return service;
}

int Health(const std::shared_ptr<grpc::Channel>& channel, const std::string& service) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(1));
  context.set_wait_for_ready(true);  // a call that waits is what makes a channel connect soon
  grpc::health::v1::HealthCheckRequest request;
  request.set_service(service);
  grpc::health::v1::HealthCheckResponse response;
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check",
                                         grpc::internal::RpcMethod::NORMAL_RPC, channel);
  const grpc::Status status =
      grpc::internal::BlockingUnaryCall(channel.get(), method, &context, request, &response);
  return status.ok() ? static_cast<int>(response.status()) : -1;
}

}  // namespace astragal::e2e
