#include "services/cli/receipt_text.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "services/base/crypto.h"

namespace astragal::cli {

std::string ReceiptText(const v1::Receipt& receipt, const std::string& program) {
  return absl::StrCat("Receipt: key ", receipt.key_id(), " has signed ", receipt.sequence(),
                      " events with the log hash ", base::Hex(receipt.log_hash()),
                      ". Keep it:  ", program, " receipt ", receipt.game_id(), " -o FILE");
}

std::string ReceiptJson(const v1::Receipt& receipt) {
  nlohmann::ordered_json json;
  json["format"] = "astragal-receipt-1";
  json["game_id"] = receipt.game_id();
  json["sequence"] = receipt.sequence();
  json["log_hash"] = base::Hex(receipt.log_hash());
  json["signed_at_us"] =
      receipt.sign_time().seconds() * 1'000'000 + receipt.sign_time().nanos() / 1'000;
  json["public_key"] = base::Hex(receipt.public_key());
  json["signature"] = base::Hex(receipt.signature());
  return json.dump();
}

}  // namespace astragal::cli
