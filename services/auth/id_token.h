// ID tokens of an outside issuer (OpenID Connect Core 1.0, section 3.1.3.7): who somebody is, in
// the words of somebody whom the server's operator trusts.
//
// A token is a JSON Web Token, signed (RFC 7515) with one of the issuer's keys. Only public-key
// algorithms are taken (RS256/384/512, PS256/384/512, ES256/384/512), and only keys of the matching
// kind: "none" and shared secrets never are. Keys come from a file, a JSON Web Key Set (RFC 7517)
// such as the issuer publishes; the file is read again when it changes.
#ifndef ASTRAGAL_SERVICES_AUTH_ID_TOKEN_H_
#define ASTRAGAL_SERVICES_AUTH_ID_TOKEN_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/mutex.h"

namespace astragal::auth {

// Somebody as the issuer knows them; the two together are unique for ever.
struct OutsidePerson {
  std::string issuer;
  std::string subject;
};

// Owns its keys. Thread-safe; Verify reads a file now and then.
class Issuer {
 public:
  static constexpr size_t kMaxTokenBytes = 16 * 1024;
  static constexpr size_t kMaxKeyFileBytes = 256 * 1024;
  static constexpr size_t kMaxTextBytes = 256;  // of issuer and subject
  // How far clocks may differ.
  static constexpr int64_t kSkewS = 60;
  // How often the file is looked at.
  static constexpr int64_t kLookEveryS = 5;

  struct Options {
    std::string issuer;    // as tokens name it in `iss`, exactly
    std::string audience;  // what this server is called in `aud`
    std::string key_file;
  };
  // FAILED_PRECONDITION with a sentence for the operator when the file holds no key that can
  // verify.
  static absl::StatusOr<std::unique_ptr<Issuer>> Open(Options options);
  ~Issuer();
  Issuer(const Issuer&) = delete;
  Issuer& operator=(const Issuer&) = delete;

  // TOKEN_INVALID for what is no token of this issuer for this server, TOKEN_EXPIRED.
  absl::StatusOr<OutsidePerson> Verify(const std::string& token, base::Instant now)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Keys;

  explicit Issuer(Options options);
  absl::Status ReadKeys() ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const Keys> CurrentKeys(base::Instant now) ABSL_LOCKS_EXCLUDED(mutex_);

  const Options options_;
  base::Mutex mutex_;
  std::shared_ptr<const Keys> keys_ ABSL_GUARDED_BY(mutex_);
  base::Instant looked_at_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::auth

#endif  // ASTRAGAL_SERVICES_AUTH_ID_TOKEN_H_
