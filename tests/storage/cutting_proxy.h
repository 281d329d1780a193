// Stands between a client and a server's socket and can cut the line at the worst moment: after the
// server did what it was asked to, before the client hears of it.
#ifndef ASTRAGAL_TESTS_STORAGE_CUTTING_PROXY_H_
#define ASTRAGAL_TESTS_STORAGE_CUTTING_PROXY_H_

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace astragal::tests {

class CuttingProxy {
 public:
  // Listens on `path`, passes on to the socket `target`.
  CuttingProxy(const std::string& path, std::string target) : target_(std::move(target)) {
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = Address(path);
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_, 16) != 0) {
      std::abort();
    }
    acceptor_ = std::thread([this] { Accept(); });
  }
  ~CuttingProxy() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (std::thread& line : lines_) line.join();
    ::close(listener_);
  }

  // The next answer of the server is swallowed and its connection cut.
  void CutNextAnswer() { cut_ = true; }
  bool cut_done() const { return !cut_; }

 private:
  static sockaddr_un Address(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) std::abort();
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
  }

  void Accept() {
    while (!stopping_) {
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) return;
      const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_un address = Address(target_);
      if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(client);
        ::close(server);
        continue;
      }
      lines_.emplace_back([this, client, server] { Pass(client, server); });
    }
  }

  void Pass(int client, int server) {
    pollfd ends[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    bool open = true;
    while (open && !stopping_) {
      if (::poll(ends, 2, 50) <= 0) continue;
      for (int from = 0; from < 2 && open; ++from) {
        if (ends[from].revents == 0) continue;
        char buffer[65536];
        const ssize_t count = ::read(ends[from].fd, buffer, sizeof buffer);
        bool pass = count > 0;
        if (pass && from == 1 && cut_.exchange(false)) pass = false;
        open = pass &&
               ::send(ends[1 - from].fd, buffer, static_cast<size_t>(count), MSG_NOSIGNAL) == count;
      }
    }
    ::close(client);
    ::close(server);
  }

  const std::string target_;
  int listener_ = -1;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> cut_{false};
  std::thread acceptor_;
  std::vector<std::thread> lines_;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_STORAGE_CUTTING_PROXY_H_
