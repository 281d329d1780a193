#include "services/base/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace astragal::base {
namespace {

constexpr int kRaw = -15;  // the widest window, no header and no checksum
constexpr int kMemory = 8;

// zlib writes through pointers that are not const, and reads through such, too.
Bytef* Writable(char* bytes) { return reinterpret_cast<Bytef*>(bytes); }
Bytef* Readable(std::string_view bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
}

}  // namespace

std::string Deflate(std::span<const std::string> parts) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    std::abort();  // no memory
  }
  std::string out;
  std::array<char, 4096> buffer{};
  for (size_t i = 0; i < parts.size(); ++i) {
    stream.next_in = Readable(parts[i]);
    stream.avail_in = static_cast<uInt>(parts[i].size());
    const int flush = i + 1 == parts.size() ? Z_FINISH : Z_BLOCK;
    do {
      stream.next_out = Writable(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      out.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

std::optional<std::string> Inflate(std::string_view bytes, size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, kRaw) != Z_OK) std::abort();  // no memory
  stream.next_in = Readable(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 4096> buffer{};
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    stream.next_out = Writable(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0 && out.size() <= most;
  inflateEnd(&stream);
  return is_whole ? std::optional<std::string>(std::move(out)) : std::nullopt;
}

}  // namespace astragal::base
