// Bytes made shorter (raw DEFLATE, RFC 1951, by zlib) and long again.
//
// Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_BASE_DEFLATE_H_
#define ASTRAGAL_SERVICES_BASE_DEFLATE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace astragal::base {

// The parts one after another, each in blocks with codes of its own: parts of different kinds are
// shorter so than as one. Each part is shorter than 1 GiB.
std::string Deflate(std::span<const std::string> parts);

// What Deflate was given, as one; nothing if `bytes` are not its work, or say more than `most`
// bytes.
std::optional<std::string> Inflate(std::string_view bytes, size_t most);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_DEFLATE_H_
