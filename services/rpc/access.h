// Who may call what: one row for each method of the public contract, and nothing else decides.
//
// What a row cannot say, because it depends on the thing that is addressed (a seat of this game, an
// office of that tournament, one's own proposal), is named in the row and checked by what is
// called; tests call every method as everybody and compare. ACCESS.md is this table for people; a
// test compares the two. Values without behaviour; any thread.
#ifndef ASTRAGAL_SERVICES_RPC_ACCESS_H_
#define ASTRAGAL_SERVICES_RPC_ACCESS_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "services/core/rights.h"

namespace google::protobuf {
class ServiceDescriptor;
}  // namespace google::protobuf

namespace astragal::rpc {

enum class Who {
  kAnybody,  // credentials need not be sent; bad ones are refused all the same
  kPlayer,   // a key of a player, with the scope
  kStaff,    // whoever has the scope, also without an account
};

// What a call is to limits, restrictions and modes.
enum class Effect {
  kLooks,    // changes nothing
  kWatches,  // a stream
  kBegins,   // something new: not for restricted accounts, nor while the server drains
  kActs,     // on what has begun: the last to be refused when the server is busy
  kManages,  // accounts and the server; restricted accounts may
};

// What else must hold.
enum class Also {
  kNothing,
  kSeat,    // a seat in the game that is named: NOT_SEATED
  kSeen,    // games and matches that are private: NOT_FOUND for others
  kOwn,     // one's own or meant for oneself: NOT_FOUND for others
  kOffice,  // an office in the tournament that is named
};

struct Access {
  std::string_view method;  // of package astragal.v1, for example "GameService.PlayActions"
  Who who;
  core::Scope scope;
  Effect effect;
  Also also = Also::kNothing;
};

// In order of their names.
std::span<const Access> AccessTable();

// FAILED_PRECONDITION naming the first method of this service without a row, the first row of it
// without a method, or the first request message that two methods share: a method is known by its.
absl::Status CheckAccess(const google::protobuf::ServiceDescriptor& service);

// The table as Markdown.
std::string AccessText();

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_ACCESS_H_
