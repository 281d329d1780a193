// What each call of AdminService answers, and to whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "tests/services/admin/desk.h"

namespace astragal::admin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Desk& SharedDesk() {
  static Desk desk({kBuild1a});
  return desk;
}

using AdminCall = std::function<grpc::Status(grpc::ClientContext&)>;

std::vector<std::pair<std::string, AdminCall>> AllCalls(Desk& desk) {
  const std::shared_ptr<v1::AdminService::Stub> stub = v1::AdminService::NewStub(desk.channel());
  return {{"LoadRulesets",
           [stub](grpc::ClientContext& context) {
             v1::LoadRulesetsRequest request;
             request.set_request_id(NewRequestId());
             v1::LoadRulesetsResponse response;
             return stub->LoadRulesets(&context, request, &response);
           }},
          {"ListRulesetBuilds",
           [stub](grpc::ClientContext& context) {
             v1::ListRulesetBuildsResponse response;
             return stub->ListRulesetBuilds(&context, {}, &response);
           }},
          {"RetireRulesetBuild", [stub](grpc::ClientContext& context) {
             v1::RetireRulesetBuildRequest request;
             request.set_request_id(NewRequestId());
             request.set_sha256(std::string(64, '0'));
             v1::RetireRulesetBuildResponse response;
             return stub->RetireRulesetBuild(&context, request, &response);
           }}};
}

TEST(AdminKeys, OnlyTheOperatorsKeyOpens) {
  Desk& desk = SharedDesk();
  std::string other = desk.operator_key();
  other.back() = other.back() == '0' ? '1' : '0';
  const struct {
    const char* name;
    std::string key;
    grpc::StatusCode code;
    const char* reason;
  } cases[] = {
      {"no key", "", grpc::UNAUTHENTICATED, "TOKEN_MISSING"},
      {"no key of ours", "letmein", grpc::UNAUTHENTICATED, "TOKEN_INVALID"},
      {"another operator's", other, grpc::UNAUTHENTICATED, "TOKEN_INVALID"},
      {"half of it", desk.operator_key().substr(0, 40), grpc::UNAUTHENTICATED, "TOKEN_INVALID"},
      {"more than it", desk.operator_key() + "0", grpc::UNAUTHENTICATED, "TOKEN_INVALID"},
      {"a player's", desk.player_key(), grpc::PERMISSION_DENIED, "SCOPE_MISSING"},
  };
  for (const auto& [name, call] : AllCalls(desk)) {
    for (const auto& [whose, key, code, reason] : cases) {
      SCOPED_TRACE(name + " with " + whose);
      grpc::ClientContext context;
      Desk::Authorize(context, key);
      const grpc::Status status = call(context);
      EXPECT_EQ(status.error_code(), code) << status.error_message();
      EXPECT_EQ(ReasonOf(status), reason);
    }
  }
  EXPECT_EQ(desk.List().builds_size(), 1);
}

TEST(AdminKeys, TheFileIsTheOperatorsAlone) {
  Desk& desk = SharedDesk();
  struct stat info {};
  ASSERT_EQ(::stat((desk.data() + "/operator.key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_THAT(desk.operator_key(), testing::MatchesRegex("ast_op_[0-9a-f]+"));
}

TEST(AdminFields, WhatIsMissingOrUnknown) {
  Desk& desk = SharedDesk();
  const auto stub = v1::AdminService::NewStub(desk.channel());
  const auto retire = [&](const std::string& request_id, const std::string& sha256) {
    grpc::ClientContext context;
    Desk::Authorize(context, desk.operator_key());
    v1::RetireRulesetBuildRequest request;
    request.set_request_id(request_id);
    request.set_sha256(sha256);
    v1::RetireRulesetBuildResponse response;
    return ReasonOf(stub->RetireRulesetBuild(&context, request, &response));
  };
  EXPECT_EQ(retire("", Desk::Sha256Of(kBuild1a)), "BAD_FIELD");
  EXPECT_EQ(retire("x", Desk::Sha256Of(kBuild1a)), "BAD_FIELD");
  EXPECT_EQ(retire(NewRequestId(), ""), "BAD_FIELD");
  EXPECT_EQ(retire(NewRequestId(), Desk::Sha256Of(kBuild2)), "NOT_FOUND");
  EXPECT_EQ(retire(NewRequestId(), "../../etc"), "NOT_FOUND");

  grpc::ClientContext context;
  Desk::Authorize(context, desk.operator_key());
  v1::LoadRulesetsResponse loaded;
  EXPECT_EQ(ReasonOf(stub->LoadRulesets(&context, {}, &loaded)), "BAD_FIELD");

  const auto list = [&](int page_size, const std::string& token) {
    grpc::ClientContext listing;
    Desk::Authorize(listing, desk.operator_key());
    v1::ListRulesetBuildsRequest request;
    request.set_page_size(page_size);
    request.set_page_token(token);
    v1::ListRulesetBuildsResponse response;
    return ReasonOf(stub->ListRulesetBuilds(&listing, request, &response));
  };
  EXPECT_EQ(list(-1, ""), "BAD_FIELD");
  EXPECT_EQ(list(1, "no token of ours"), "PAGE_TOKEN_INVALID");
}

TEST(AdminLoad, SaysWhatServesAndWhatIsRefused) {
  Desk desk({kBuild1a});
  std::ofstream(desk.plugins() + "/libtext.so") << "not a library";
  std::ofstream(desk.plugins() + "/notes.txt") << "no lib*.so: not looked at";
  desk.Drop(kBuild2, "libsprint_2.so");
  const v1::LoadRulesetsResponse report = desk.Load();
  ASSERT_EQ(report.loaded_size(), 2);
  EXPECT_EQ(report.loaded(0).file(), "libsprint_1a.so");
  EXPECT_TRUE(report.loaded(0).was_loaded());
  EXPECT_EQ(report.loaded(1).file(), "libsprint_2.so");
  EXPECT_FALSE(report.loaded(1).was_loaded());
  EXPECT_EQ(report.loaded(1).build().ruleset_id(), "sprint");
  EXPECT_EQ(report.loaded(1).build().rules_version(), 2U);
  EXPECT_EQ(report.loaded(1).build().sha256(), Desk::Sha256Of(kBuild2));
  EXPECT_TRUE(report.loaded(1).build().serves_new_games());
  ASSERT_EQ(report.refused_size(), 1);
  EXPECT_EQ(report.refused(0).file(), "libtext.so");
  EXPECT_EQ(report.refused(0).reason(), "NOT_ELF");
  EXPECT_THAT(report.refused(0).message(), Not(testing::IsEmpty()));
  EXPECT_THAT(report.refused(0).message(), Not(HasSubstr("/")));
  EXPECT_EQ(report.omitted(), 0U);
  const v1::LoadRulesetsResponse again = desk.Load();
  EXPECT_EQ(again.loaded_size(), 2);
  EXPECT_TRUE(again.loaded(1).was_loaded());

  // A page of one after the other shows each build once, in the order of the list.
  std::vector<std::string> paged;
  v1::ListRulesetBuildsRequest request;
  request.set_page_size(1);
  do {
    grpc::ClientContext context;
    Desk::Authorize(context, desk.operator_key());
    v1::ListRulesetBuildsResponse page;
    ASSERT_TRUE(v1::AdminService::NewStub(desk.channel())
                    ->ListRulesetBuilds(&context, request, &page)
                    .ok());
    ASSERT_EQ(page.builds_size(), 1);
    paged.push_back(page.builds(0).sha256());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_THAT(paged, ElementsAre(Desk::Sha256Of(kBuild2), Desk::Sha256Of(kBuild1a)));

  // Without the folder a load says so and what is loaded serves on.
  std::filesystem::rename(desk.plugins(), desk.plugins() + ".away");
  grpc::ClientContext context;
  Desk::Authorize(context, desk.operator_key());
  v1::LoadRulesetsRequest load;
  load.set_request_id(NewRequestId());
  v1::LoadRulesetsResponse response;
  EXPECT_EQ(
      ReasonOf(v1::AdminService::NewStub(desk.channel())->LoadRulesets(&context, load, &response)),
      "NOT_FOUND");
  EXPECT_EQ(desk.List().builds_size(), 2);
}

TEST(AdminLoad, OneAtATimeAndNobodyWaitsForIt) {
  Desk desk({kBuild1a});
  std::filesystem::copy_file(ASTRAGAL_BUILD_DIR "/tests/plugins/slow/libadmin_slow_library.so",
                             desk.plugins() + "/libslow.so");
  ::chmod((desk.plugins() + "/libslow.so").c_str(), 0755);
  std::atomic<bool> ended = false;
  std::thread first([&] {
    const v1::LoadRulesetsResponse report = desk.Load();
    ended = true;
    ASSERT_EQ(report.refused_size(), 1);
    EXPECT_EQ(report.refused(0).reason(), "NO_ENTRY");
  });
  std::set<std::string> reasons;
  while (!ended && !reasons.contains("MAILBOX_FULL")) {
    grpc::ClientContext context;
    Desk::Authorize(context, desk.operator_key());
    v1::LoadRulesetsRequest request;
    request.set_request_id(NewRequestId());
    v1::LoadRulesetsResponse response;
    // Before the first one began, this would be the one.
    if (desk.List().builds_size() == 1 && !ended) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    reasons.insert(ReasonOf(
        v1::AdminService::NewStub(desk.channel())->LoadRulesets(&context, request, &response)));
  }
  EXPECT_TRUE(reasons.contains("MAILBOX_FULL"));
  EXPECT_TRUE(desk.Play(desk.NewGame(), 3).ok()) << "games go on meanwhile";
  first.join();
}

}  // namespace
}  // namespace astragal::admin
