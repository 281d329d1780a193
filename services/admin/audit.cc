#include "services/admin/audit.h"

#include <google/protobuf/descriptor.h>

#include <memory>

#include "services/base/log.h"
#include "services/rpc/call.h"

namespace astragal::admin {
namespace {

std::string TextField(const google::protobuf::Message& message, const char* name) {
  const auto* field = message.GetDescriptor()->FindFieldByName(name);
  return field == nullptr ? "" : message.GetReflection()->GetString(message, field);
}

// What was asked for, but what the entry says elsewhere.
std::string DetailOf(const google::protobuf::Message& request) {
  const std::unique_ptr<google::protobuf::Message> rest(request.New());
  rest->CopyFrom(request);
  for (const char* name : {"request_id", "reason"}) {
    const auto* field = rest->GetDescriptor()->FindFieldByName(name);
    if (field != nullptr) rest->GetReflection()->ClearField(rest.get(), field);
  }
  constexpr size_t kMost = 4'000;
  return rest->ShortDebugString().substr(0, kMost);
}

}  // namespace

absl::StatusOr<storage::AuditEntry> Audit::Entry(const core::Identity& actor,
                                                 std::string_view method,
                                                 const google::protobuf::Message& request,
                                                 const std::string& subject) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(TextField(request, "request_id"));
  if (!id.ok()) return id.status();
  storage::AuditEntry entry;
  entry.reason = TextField(request, "reason");
  if (entry.reason.empty() || entry.reason.size() > kMaxReason) {
    return rpc::BadField("reason", "is required and has at most 1,024 bytes");
  }
  entry.at = clock_.Now();
  entry.id = base::KeyId::Make(entry.at, random_).bytes();
  entry.actor = actor.player;
  entry.key = actor.key;
  entry.request = *id;
  entry.action = std::string(method);
  entry.subject = subject;
  entry.detail = DetailOf(request);
  return entry;
}

absl::Status Audit::Write(const core::Identity& actor, std::string_view method,
                          const google::protobuf::Message& request, const std::string& subject) {
  const absl::StatusOr<storage::AuditEntry> entry = Entry(actor, method, request, subject);
  if (!entry.ok()) return entry.status();
  base::Log(base::Severity::kInfo, "audit",
            {{"action", entry->action}, {"subject", subject}, {"reason", entry->reason}});
  return store_.Append(*entry).status();
}

}  // namespace astragal::admin
