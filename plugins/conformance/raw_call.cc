#include "plugins/conformance/raw_call.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "plugins/host/guard.h"
#include "plugins/host/text_check.h"

namespace astragal::conformance {
namespace {

constexpr unsigned char kUnwritten = 0xCD;

template <size_t kSize>
bool IsWords(const char (&field)[kSize], bool may_be_empty) {
  const size_t length = strnlen(field, kSize);
  if (length == kSize || (length == 0 && !may_be_empty)) return false;
  return host::IsCleanText(absl::string_view(field, length), host::Lines::kOne);
}

}  // namespace

RawChange CallRaw(Session& session, const host::Position& before, absl::string_view function,
                  const std::function<int32_t(void*, astragal_error*)>& call) {
  Guarded<unsigned char> position(before.size());
  std::memcpy(position.data(), before.data(), before.size());
  Guarded<astragal_error> error(1, kUnwritten);
  error.data()->struct_size = sizeof(astragal_error);
  RawChange change;
  change.threw = !host::Returns([&] { change.code = call(position.data(), error.data()); });
  change.after = host::Position(
      absl::string_view(reinterpret_cast<const char*>(position.data()), before.size()));
  change.outside = !position.IntactBeyond(before.size()) || !error.IntactBeyond(1);
  if (!change.threw && change.code == ASTRAGAL_REFUSED) {
    const bool good = IsWords(error[0].message, false) && IsWords(error[0].field, true);
    session.Expect(Duty::kRefusalWords, good,
                   absl::StrCat(function, " refuses without a sentence in UTF-8 that ends"),
                   &before);
  }
  session.Expect(Duty::kWritesInside, !change.outside,
                 absl::StrCat(function, " writes around the position or the error"), &before);
  return change;
}

}  // namespace astragal::conformance
