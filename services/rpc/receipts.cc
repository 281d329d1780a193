#include "services/rpc/receipts.h"

#include <string>

#include "services/rpc/nouns.h"

namespace astragal::rpc {

v1::Receipt ToProto(const core::Receipt& receipt) {
  v1::Receipt out;
  out.set_game_id(receipt.game.ToText());
  out.set_sequence(receipt.sequence);
  out.set_log_hash(std::string(base::AsView(receipt.log_hash)));
  *out.mutable_sign_time() = ToProto(receipt.at);
  out.set_key_id(core::KeyName(receipt.public_key));
  out.set_public_key(std::string(base::AsView(receipt.public_key)));
  out.set_signature(std::string(base::AsView(receipt.signature)));
  return out;
}

}  // namespace astragal::rpc
