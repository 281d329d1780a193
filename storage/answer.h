// The first answer to a request of an account, kept for 24 hours, so that a repeat of the request
// gets it again and changes nothing.
#ifndef ASTRAGAL_STORAGE_ANSWER_H_
#define ASTRAGAL_STORAGE_ANSWER_H_

#include <cstddef>
#include <string>

#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::storage {

inline constexpr size_t kMaxAnswer = 16'384;

// Without the secrets that the answer may have held.
struct Answer {
  base::PlayerId account;  // nil for calls without identity
  base::RequestId request;
  base::Bytes32 body_hash{};
  std::string payload;  // opaque to storage, at most kMaxAnswer bytes
};

// The account of who holds the operator's key: no player's, their ids are never all ones.
inline base::PlayerId OperatorAccount() {
  base::IdBytes ones;
  ones.fill(0xFF);
  return base::PlayerId(ones);
}

// What a mutation with an Answer came to.
struct Mutation {
  bool repeated = false;  // the request was known: nothing was changed, `answer` is the first one
  Answer answer;          // as stored; the caller compares body_hash
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_ANSWER_H_
