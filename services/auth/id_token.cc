#include "services/auth/id_token.h"

#include <cjose/cjose.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "services/base/log.h"
#include "services/base/status.h"

namespace astragal::auth {
namespace {

using base::Error;
using base::Reason;
using Json = nlohmann::json;
using FileTime = std::filesystem::file_time_type;

struct ReleaseToken {
  void operator()(cjose_jws_t* token) const { cjose_jws_release(token); }
};
using SignedToken = std::unique_ptr<cjose_jws_t, ReleaseToken>;

// Which kind of key verifies an algorithm.
struct Algorithm {
  std::string_view name;
  cjose_jwk_kty_t kind;
};
constexpr Algorithm kAlgorithms[] = {
    {"RS256", CJOSE_JWK_KTY_RSA}, {"RS384", CJOSE_JWK_KTY_RSA}, {"RS512", CJOSE_JWK_KTY_RSA},
    {"PS256", CJOSE_JWK_KTY_RSA}, {"PS384", CJOSE_JWK_KTY_RSA}, {"PS512", CJOSE_JWK_KTY_RSA},
    {"ES256", CJOSE_JWK_KTY_EC},  {"ES384", CJOSE_JWK_KTY_EC},  {"ES512", CJOSE_JWK_KTY_EC}};
constexpr size_t kFewestRsaBits = 2'048;

absl::Status Invalid(std::string_view why) {
  return Error(Reason::kTokenInvalid, "the ID token " + std::string(why)).With("field", "id_token");
}

absl::Status BadKeys(const std::string& file, std::string_view why) {
  return absl::FailedPreconditionError("the keys of the issuer in " + file + ": " +
                                       std::string(why));
}

FileTime TimeOf(const std::string& file) {
  std::error_code error;
  const FileTime time = std::filesystem::last_write_time(file, error);
  return error ? FileTime::min() : time;
}

std::string TextOr(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// A whole number of seconds that is a time; claims may have fractions.
std::optional<int64_t> Seconds(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  if (!(value > 0 && value < 1e11)) return std::nullopt;
  return static_cast<int64_t>(value);
}

bool Names(const Json& claims, const std::string& audience) {
  const auto found = claims.find("aud");
  if (found == claims.end()) return false;
  if (found->is_string()) return *found == audience;
  if (!found->is_array()) return false;
  if (std::find(found->begin(), found->end(), Json(audience)) == found->end()) return false;
  // Meant for several: then it says for whom it was made.
  return found->size() == 1 || TextOr(claims, "azp") == audience;
}

}  // namespace

struct Issuer::Keys {
  struct Release {
    void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
  };
  using Key = std::unique_ptr<cjose_jwk_t, Release>;
  struct Entry {
    std::string id;         // may be empty
    std::string algorithm;  // the only one it is for; empty: any that fits
    cjose_jwk_kty_t kind;
    Key key;
  };
  std::vector<Entry> entries;
  FileTime file_time;
};

Issuer::Issuer(Options options) : options_(std::move(options)) {}

Issuer::~Issuer() = default;

absl::StatusOr<std::unique_ptr<Issuer>> Issuer::Open(Options options) {
  if (options.issuer.empty() || options.issuer.size() > kMaxTextBytes || options.audience.empty()) {
    return absl::FailedPreconditionError(
        "an issuer has a name of at most 256 bytes, and an audience");
  }
  std::unique_ptr<Issuer> issuer(new Issuer(std::move(options)));
  if (absl::Status bad = issuer->ReadKeys(); !bad.ok()) return bad;
  return issuer;
}

absl::Status Issuer::ReadKeys() {
  const std::string& path = options_.key_file;
  auto keys = std::make_shared<Keys>();
  keys->file_time = TimeOf(path);
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxKeyFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (text.empty()) return BadKeys(path, "cannot be read");
  if (text.size() > kMaxKeyFileBytes) return BadKeys(path, "are too long");
  const Json set = Json::parse(text, nullptr, false);
  if (!set.is_object() || !set.contains("keys") || !set["keys"].is_array()) {
    return BadKeys(path, "are no JSON Web Key Set");
  }
  for (const Json& one : set["keys"]) {
    if (!one.is_object() || TextOr(one, "use") == "enc") continue;
    const std::string words = one.dump();
    cjose_err error{};
    Keys::Key key(cjose_jwk_import(words.data(), words.size(), &error));
    if (key == nullptr) continue;  // of a kind that is not known here
    const cjose_jwk_kty_t kind = cjose_jwk_get_kty(key.get(), &error);
    if (kind != CJOSE_JWK_KTY_RSA && kind != CJOSE_JWK_KTY_EC) continue;
    if (kind == CJOSE_JWK_KTY_RSA && cjose_jwk_get_keysize(key.get(), &error) < kFewestRsaBits) {
      continue;
    }
    keys->entries.push_back({TextOr(one, "kid"), TextOr(one, "alg"), kind, std::move(key)});
  }
  if (keys->entries.empty()) return BadKeys(path, "hold none that verifies signatures");
  const base::MutexLock lock(mutex_);
  keys_ = std::move(keys);
  return absl::OkStatus();
}

std::shared_ptr<const Issuer::Keys> Issuer::CurrentKeys(base::Instant now) {
  std::shared_ptr<const Keys> keys;
  {
    const base::MutexLock lock(mutex_);
    if (now.micros - looked_at_.micros < kLookEveryS * 1'000'000 && looked_at_ <= now) {
      return keys_;
    }
    looked_at_ = now;
    keys = keys_;
  }
  if (TimeOf(options_.key_file) == keys->file_time) return keys;
  // What cannot be read now may be half written: the keys that were good stay so.
  if (const absl::Status bad = ReadKeys(); !bad.ok()) {
    base::Log(base::Severity::kWarning, "issuer's keys not read",
              {{"why", std::string(bad.message())}});
  }
  const base::MutexLock lock(mutex_);
  return keys_;
}

absl::StatusOr<OutsidePerson> Issuer::Verify(const std::string& token, base::Instant now) {
  if (token.size() > kMaxTokenBytes) return Invalid("is longer than 16 KiB");
  cjose_err error{};
  const SignedToken parsed(cjose_jws_import(token.data(), token.size(), &error));
  if (parsed == nullptr) return Invalid("is no signed token");
  cjose_header_t* header = cjose_jws_get_protected(parsed.get());
  const auto attribute = [&](const char* name) {
    const char* value = cjose_header_get(header, name, &error);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string name = attribute(CJOSE_HDR_ALG);
  const auto* algorithm = std::ranges::find(kAlgorithms, name, &Algorithm::name);
  if (algorithm == std::end(kAlgorithms)) return Invalid("is signed in a way that is not taken");
  const std::string key_id = attribute(CJOSE_HDR_KID);
  const std::shared_ptr<const Keys> keys = CurrentKeys(now);
  const bool verified = std::ranges::any_of(keys->entries, [&](const Keys::Entry& entry) {
    return entry.kind == algorithm->kind && (key_id.empty() || entry.id == key_id) &&
           (entry.algorithm.empty() || entry.algorithm == name) &&
           cjose_jws_verify(parsed.get(), entry.key.get(), &error);
  });
  if (!verified) return Invalid("is not signed by the issuer");
  uint8_t* bytes = nullptr;
  size_t size = 0;
  if (!cjose_jws_get_plaintext(parsed.get(), &bytes, &size, &error)) return Invalid("is empty");
  const Json claims = Json::parse(bytes, bytes + size, nullptr, false);
  if (!claims.is_object()) return Invalid("says nothing");
  if (TextOr(claims, "iss") != options_.issuer) return Invalid("is of another issuer");
  if (!Names(claims, options_.audience)) return Invalid("is meant for somebody else");
  const int64_t now_s = now.micros / 1'000'000;
  const std::optional<int64_t> ends = Seconds(claims, "exp");
  if (!ends || !Seconds(claims, "iat")) return Invalid("does not say how long it is good");
  if (*ends + kSkewS <= now_s) {
    return Error(Reason::kTokenExpired, "the ID token has expired").With("field", "id_token");
  }
  if (Seconds(claims, "nbf").value_or(0) > now_s + kSkewS ||
      *Seconds(claims, "iat") > now_s + kSkewS) {
    return Invalid("is not good yet");
  }
  const std::string subject = TextOr(claims, "sub");
  if (subject.empty() || subject.size() > kMaxTextBytes) return Invalid("names nobody");
  return OutsidePerson{options_.issuer, subject};
}

}  // namespace astragal::auth
