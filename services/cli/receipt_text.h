// The server's word on a log, for people and for a file. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_RECEIPT_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_RECEIPT_TEXT_H_

#include <string>

#include "astragal/v1/record_service.pb.h"

namespace astragal::cli {

// One line. `program` is how others type this program.
std::string ReceiptText(const v1::Receipt& receipt, const std::string& program);

// The file that `astragal receipt` writes: one line of JSON, without its end.
std::string ReceiptJson(const v1::Receipt& receipt);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RECEIPT_TEXT_H_
