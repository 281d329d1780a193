// The table of who may call what: every method of the protos has its row, rows say what names and
// requests promise, and the page for people is the table.
#include "services/rpc/access.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "astragal/v1/admin_service.pb.h"
#include "tests/support/golden.h"

namespace astragal::rpc {
namespace {

using core::Scope;
using google::protobuf::MethodDescriptor;

// The methods of all proto files, by Service.Method, as their text says: no list to forget.
std::map<std::string, bool> MethodsOfProtos() {
  const std::regex service("^service (\\w+)");
  const std::regex method("^\\s*rpc (\\w+)\\(\\w+\\)\\s+returns \\((stream )?");
  std::map<std::string, bool> methods;  // to whether it streams
  for (const auto& file : std::filesystem::directory_iterator("proto/astragal/v1")) {
    std::ifstream stream(file.path());
    std::string name;
    std::smatch found;
    for (std::string line; std::getline(stream, line);) {
      // What a method of a long name returns stands on the next line.
      std::string rest;
      const bool goes_on = line.starts_with("  rpc ") && !line.ends_with(';');
      if (goes_on && std::getline(stream, rest)) line += rest;
      if (std::regex_search(line, found, service)) name = found[1];
      if (std::regex_search(line, found, method)) {
        methods[name + "." + found[1].str()] = found[2].matched;
      }
    }
  }
  return methods;
}

TEST(Access, EveryMethodHasExactlyOneRow) {
  const std::map<std::string, bool> methods = MethodsOfProtos();
  EXPECT_GT(methods.size(), 60U);
  std::set<std::string> rows;
  for (const Access& access : AccessTable()) {
    EXPECT_TRUE(rows.emplace(access.method).second) << access.method << " has two rows";
    EXPECT_TRUE(methods.contains(std::string(access.method))) << access.method << " is no method";
  }
  for (const auto& [method, streams] : methods) {
    EXPECT_TRUE(rows.contains(method)) << method << " has no row in services/rpc/access.cc";
  }
}

TEST(Access, AServiceWithAMethodWithoutARowIsRefused) {
  EXPECT_TRUE(CheckAccess(*v1::GetServerInfoRequest::descriptor()->file()->service(0)).ok());
  google::protobuf::FileDescriptorProto file;
  file.set_name("planted.proto");
  file.add_message_type()->set_name("Thing");
  auto* service = file.add_service();
  service->set_name("AuthService");
  const auto check = [&] {
    google::protobuf::DescriptorPool pool;
    return std::string(CheckAccess(*pool.BuildFile(file)->service(0)).message());
  };
  const auto add = [&](const char* name) {
    auto* method = service->add_method();
    method->set_name(name);
    method->set_input_type(".Thing");
    method->set_output_type(".Thing");
  };
  EXPECT_NE(check().find("AuthService.CreateApiKey, which is no method"), std::string::npos);
  add("StealApiKey");
  EXPECT_EQ(check(), "AuthService.StealApiKey has no row in services/rpc/access.cc");
  service->clear_method();
  add("CreateApiKey");
  add("ListApiKeys");
  EXPECT_EQ(check(), "AuthService.ListApiKeys shares its request with AuthService.CreateApiKey");
}

// What a method's name and messages promise, checked without looking at who wrote the row.
TEST(Access, RowsFitWhatTheContractSays) {
  // Whom the contract lets in without credentials although they change something.
  const std::set<std::string_view> open = {"AuthService.SignIn", "PlayerService.CreatePlayer"};
  // What changes nothing more when it is repeated, and so needs no id of the request.
  const std::set<std::string_view> repeats = {"RecordService.ArchiveGames",
                                              "RecordService.ImportGames"};
  const std::map<std::string, bool> methods = MethodsOfProtos();
  for (const Access& access : AccessTable()) {
    SCOPED_TRACE(std::string(access.method));
    const auto* method = google::protobuf::DescriptorPool::generated_pool()->FindMethodByName(
        "astragal.v1." + std::string(access.method));
    if (method == nullptr) continue;  // not linked into this test
    // Directors' requests have theirs in a header.
    const bool changes = method->input_type()->FindFieldByName("request_id") != nullptr ||
                         method->input_type()->FindFieldByName("header") != nullptr;
    const bool looks = access.effect == Effect::kLooks || access.effect == Effect::kWatches;
    EXPECT_EQ(changes || repeats.contains(access.method), !looks);
    EXPECT_EQ(methods.at(std::string(access.method)), access.effect == Effect::kWatches);
    if (changes && !open.contains(access.method)) {
      EXPECT_NE(access.who, Who::kAnybody);
    }
    if (changes && access.who == Who::kPlayer) {
      EXPECT_NE(access.scope, Scope::kRead);
    }
    if (access.who == Who::kStaff) {
      EXPECT_TRUE(access.scope == Scope::kOperate || access.scope == Scope::kModerate);
    }
    if (access.method.starts_with("AdminService.") && access.effect != Effect::kLooks) {
      EXPECT_EQ(access.scope, Scope::kOperate);
    }
  }
}

TEST(Access, RolesHoldWhatTheirNamesSay) {
  const core::Scopes player = *core::ScopesOfRole("player");
  EXPECT_FALSE(player.Has(Scope::kModerate) || player.Has(Scope::kOperate));
  EXPECT_TRUE(player.Includes(*core::ScopesOfRole("bot")));
  EXPECT_TRUE(player.Includes(*core::ScopesOfRole("director")));
  EXPECT_FALSE(core::ScopesOfRole("moderator")->Has(Scope::kOperate));
  EXPECT_FALSE(core::ScopesOfRole("king").has_value());
  for (const core::Role& role : core::kRoles) {
    EXPECT_TRUE(role.scopes.Has(Scope::kRead)) << role.word;
    EXPECT_TRUE(core::Scopes::All().Includes(role.scopes)) << role.word;
  }
}

TEST(Access, ThePageIsTheTable) { tests::ExpectGolden(AccessText(), "services/rpc/ACCESS.md"); }

}  // namespace
}  // namespace astragal::rpc
