// Sessions through OpenID Connect: a test issuer signs tokens, good ones and every kind of bad one.
#include <cjose/cjose.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "astragal/v1/auth_service.pb.h"
#include "services/auth/id_token.h"
#include "tests/services/server/hall.h"

namespace astragal::server {
namespace {

using Json = nlohmann::json;

constexpr const char* kIssuer = "https://issuer.example";
constexpr const char* kAudience = "astragal-test";

int64_t NowS() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// One key pair or shared secret. Owns it.
class SigningKey {
 public:
  SigningKey(cjose_jwk_t* key, std::string id) : key_(key), id_(std::move(id)) {
    EXPECT_NE(key_, nullptr);
    cjose_jwk_set_kid(key_, id_.data(), id_.size(), nullptr);
  }
  ~SigningKey() { cjose_jwk_release(key_); }
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;

  static std::unique_ptr<SigningKey> Ec(const std::string& id) {
    return std::make_unique<SigningKey>(cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, nullptr),
                                        id);
  }
  static std::unique_ptr<SigningKey> Rsa(const std::string& id, size_t bits = 2'048) {
    static constexpr uint8_t kExponent[] = {1, 0, 1};
    return std::make_unique<SigningKey>(
        cjose_jwk_create_RSA_random(bits, kExponent, sizeof kExponent, nullptr), id);
  }
  static std::unique_ptr<SigningKey> Shared(const std::string& secret, const std::string& id) {
    return std::make_unique<SigningKey>(
        cjose_jwk_create_oct_spec(reinterpret_cast<const uint8_t*>(secret.data()), secret.size(),
                                  nullptr),
        id);
  }

  Json ToJson(bool with_private = false) const {
    char* text = cjose_jwk_to_json(key_, with_private, nullptr);
    const Json json = Json::parse(text);
    std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): cjose's allocator
    return json;
  }

  std::string Sign(const Json& claims, const char* algorithm) const {
    cjose_header_t* header = cjose_header_new(nullptr);
    cjose_header_set(header, CJOSE_HDR_ALG, algorithm, nullptr);
    cjose_header_set(header, CJOSE_HDR_KID, id_.c_str(), nullptr);
    const std::string text = claims.dump();
    cjose_jws_t* token = cjose_jws_sign(key_, header, reinterpret_cast<const uint8_t*>(text.data()),
                                        text.size(), nullptr);
    EXPECT_NE(token, nullptr) << algorithm;
    const char* compact = nullptr;
    EXPECT_TRUE(cjose_jws_export(token, &compact, nullptr));
    std::string signed_token = compact;
    cjose_jws_release(token);
    cjose_header_release(header);
    return signed_token;
  }

 private:
  cjose_jwk_t* key_;
  const std::string id_;
};

class SignIn : public testing::Test {
 protected:
  SignIn() {
    Publish({ec_.get(), rsa_.get()});
    Options options;
    options.issuer = kIssuer;
    options.issuer_audience = kAudience;
    options.issuer_keys = key_file();
    hall_ = std::make_unique<Hall>(options);
  }

  std::string key_file() const { return folder_.path() + "/keys.json"; }

  void Publish(const std::vector<SigningKey*>& keys) const {
    Json set = {{"keys", Json::array()}};
    for (const SigningKey* key : keys) set["keys"].push_back(key->ToJson());
    std::ofstream(key_file()) << set;
  }

  static Json Claims(const std::string& subject = "person-1") {
    return {{"iss", kIssuer},
            {"aud", kAudience},
            {"sub", subject},
            {"iat", NowS()},
            {"exp", NowS() + 300}};
  }

  Outcome In(const std::string& token, const std::string& name, v1::SignInResponse& session,
             const std::string& request_id = NewRequestId()) const {
    v1::SignInRequest request;
    request.set_request_id(request_id);
    request.set_id_token(token);
    request.set_name(name);
    session.Clear();
    return hall_->Call("AuthService.SignIn", "", request, &session);
  }

  const tests::TestFolder folder_;
  const std::unique_ptr<SigningKey> ec_ = SigningKey::Ec("ec");
  const std::unique_ptr<SigningKey> rsa_ = SigningKey::Rsa("rsa");
  std::unique_ptr<Hall> hall_;
};

TEST_F(SignIn, APersonIsOnePlayerAndASessionIsAKey) {
  v1::SignInResponse first;
  const std::string request_id = NewRequestId();
  const std::string token = ec_->Sign(Claims(), CJOSE_HDR_ALG_ES256);
  const Outcome in = In(token, "Ada", first, request_id);
  ASSERT_TRUE(in.ok()) << in.message;
  EXPECT_EQ(first.player().name(), "Ada");
  EXPECT_GT(first.key().expire_time().seconds(), NowS() + 11 * 3'600);
  v1::WhoAmIResponse me;
  ASSERT_TRUE(hall_->Call("AuthService.WhoAmI", first.api_key(), v1::WhoAmIRequest(), &me).ok());
  EXPECT_EQ(me.player().player_id(), first.player().player_id());

  v1::SignInResponse again;
  ASSERT_TRUE(In(token, "Ada", again, request_id).ok());
  EXPECT_TRUE(again.secret_already_shown());
  EXPECT_EQ(again.api_key(), "");
  EXPECT_EQ(In(token, "Ada the second", again, request_id).reason, "REQUEST_ID_REUSED");
  ASSERT_TRUE(In(rsa_->Sign(Claims(), CJOSE_HDR_ALG_RS256), "", again).ok());
  EXPECT_EQ(again.player().player_id(), first.player().player_id());
  EXPECT_NE(again.api_key(), first.api_key());
  ASSERT_TRUE(In(rsa_->Sign(Claims("person-2"), CJOSE_HDR_ALG_PS256), "Bea", again).ok());
  EXPECT_NE(again.player().player_id(), first.player().player_id());
  EXPECT_EQ(In(ec_->Sign(Claims("person-3"), CJOSE_HDR_ALG_ES256), "ada", again).reason,
            "ALREADY_EXISTS");
}

TEST_F(SignIn, WhatIsNotSignedByTheIssuerForThisServerNowIsRefused) {
  const auto with = [&](const std::function<void(Json&)>& change) {
    Json claims = Claims();
    change(claims);
    return ec_->Sign(claims, CJOSE_HDR_ALG_ES256);
  };
  const std::string good = ec_->Sign(Claims(), CJOSE_HDR_ALG_ES256);
  std::string altered = good;
  altered[good.find('.') + 5] ^= 1;
  std::string cut = good.substr(0, good.rfind('.') + 1);
  const auto stranger = SigningKey::Ec("ec");
  // The confusion of kinds: a public key, which everybody has, as a shared secret.
  const auto confused = SigningKey::Shared(rsa_->ToJson().dump(), "rsa");
  // {"alg":"none"} and no signature.
  const std::string payload = good.substr(good.find('.'), good.rfind('.') - good.find('.') + 1);
  const std::string unsigned_token = "eyJhbGciOiJub25lIn0" + payload;
  const struct {
    const char* name;
    std::string token;
    const char* reason;
  } cases[] = {
      {"nothing", "", "TOKEN_INVALID"},
      {"no token", "letmein", "TOKEN_INVALID"},
      {"too long", std::string(17'000, 'a'), "TOKEN_INVALID"},
      {"another key of the same name", stranger->Sign(Claims(), CJOSE_HDR_ALG_ES256),
       "TOKEN_INVALID"},
      {"a public key as a secret", confused->Sign(Claims(), CJOSE_HDR_ALG_HS256), "TOKEN_INVALID"},
      {"no signature", unsigned_token, "TOKEN_INVALID"},
      {"a signature cut off", cut, "TOKEN_INVALID"},
      {"altered", altered, "TOKEN_INVALID"},
      {"another issuer", with([](Json& c) { c["iss"] = "https://other.example"; }),
       "TOKEN_INVALID"},
      {"another audience", with([](Json& c) { c["aud"] = "somebody"; }), "TOKEN_INVALID"},
      {"several audiences, made for another", with([](Json& c) {
         c["aud"] = Json::array({"somebody", kAudience});
         c["azp"] = "somebody";
       }),
       "TOKEN_INVALID"},
      {"no subject", with([](Json& c) { c.erase("sub"); }), "TOKEN_INVALID"},
      {"a subject that is no text", with([](Json& c) { c["sub"] = 7; }), "TOKEN_INVALID"},
      {"a long subject", with([](Json& c) { c["sub"] = std::string(300, 's'); }), "TOKEN_INVALID"},
      {"no end", with([](Json& c) { c.erase("exp"); }), "TOKEN_INVALID"},
      {"an end that is no number", with([](Json& c) { c["exp"] = "soon"; }), "TOKEN_INVALID"},
      {"not good yet", with([](Json& c) { c["nbf"] = NowS() + 600; }), "TOKEN_INVALID"},
      {"made in the future", with([](Json& c) { c["iat"] = NowS() + 600; }), "TOKEN_INVALID"},
      {"over", with([](Json& c) { c["exp"] = NowS() - 120; }), "TOKEN_EXPIRED"},
  };
  const std::string before = hall_->StateHash();
  v1::SignInResponse session;
  for (const auto& c : cases) {
    EXPECT_EQ(In(c.token, "Eve", session).reason, c.reason) << c.name;
  }
  EXPECT_EQ(hall_->StateHash(), before);
  EXPECT_TRUE(In(with([](Json& c) {
                   c["aud"] = Json::array({"somebody", kAudience});
                   c["azp"] = kAudience;
                 }),
                 "Eve", session)
                  .ok());
}

TEST_F(SignIn, KeysOfTheIssuerAreReadAgain) {
  const auto fresh = SigningKey::Ec("fresh");
  const std::string token = fresh->Sign(Claims("person-9"), CJOSE_HDR_ALG_ES256);
  v1::SignInResponse session;
  EXPECT_EQ(In(token, "Zoe", session).reason, "TOKEN_INVALID");
  Publish({fresh.get()});
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!In(token, "Zoe", session).ok() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_EQ(session.player().name(), "Zoe");
  EXPECT_EQ(In(ec_->Sign(Claims(), CJOSE_HDR_ALG_ES256), "Old", session).reason, "TOKEN_INVALID");
}

TEST(SignInKeys, KeysThatVerifyNothingAreRefusedAtTheStart) {
  const tests::TestFolder folder;
  const std::string file = folder.path() + "/keys.json";
  const auto shared = SigningKey::Shared(std::string(32, 'x'), "s");
  const auto small = SigningKey::Rsa("small", 1'024);
  const auto set = [](const Json& key) { return "{\"keys\": [" + key.dump() + "]}"; };
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"empty", ""},
      {"no JSON", "keys"},
      {"no set", "[]"},
      {"no keys", R"({"keys": []})"},
      {"a shared secret", set(shared->ToJson(true))},
      {"a short key", set(small->ToJson())},
  };
  for (const auto& c : cases) {
    std::ofstream(file) << c.text;
    EXPECT_FALSE(auth::Issuer::Open({kIssuer, kAudience, file}).ok()) << c.name;
  }
  EXPECT_FALSE(auth::Issuer::Open({kIssuer, kAudience, folder.path() + "/none"}).ok());
}

}  // namespace
}  // namespace astragal::server
