#include "services/server/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "grpc/health/v1/health.pb.h"
#include "services/admin/admin_service.h"
#include "services/admin/moderation_service.h"
#include "services/auth/auth_service.h"
#include "services/base/log.h"
#include "services/base/operator_key.h"
#include "services/core/affairs.h"
#include "services/core/completion.h"
#include "services/core/games.h"
#include "services/core/lag.h"
#include "services/core/lobby.h"
#include "services/core/lobby_board.h"
#include "services/core/matches.h"
#include "services/core/matchmaker.h"
#include "services/core/packed_store.h"
#include "services/core/packing.h"
#include "services/core/presence.h"
#include "services/core/ratings.h"
#include "services/core/receipts.h"
#include "services/core/verification.h"
#include "services/event/event_service.h"
#include "services/game/game_service.h"
#include "services/history/history_service.h"
#include "services/lobby/lobby_service.h"
#include "services/match/match_service.h"
#include "services/player/player_service.h"
#include "services/rating/rating_service.h"
#include "services/record/record_service.h"
#include "services/rpc/gate.h"
#include "services/ruleset/ruleset_service.h"
#include "services/server/catalog.h"
#include "services/server/counting_scheduler.h"
#include "services/server/credentials.h"
#include "services/server/gate.h"
#include "services/server/metrics.h"
#include "services/server/readings.h"
#include "services/server/transport.h"
#include "services/tournament/tournament_part.h"
#include "storage/account_data.h"
#include "storage/audit_store.h"
#include "storage/database.h"
#include "storage/history_store.h"
#include "storage/packed_logs.h"
#include "storage/pg_rating_store.h"

namespace astragal::server {
namespace {

using base::Log;
using base::Severity;

constexpr int64_t kHealthEveryMs = 1'000;
constexpr int64_t kHouseEveryMs = 10'000;
constexpr int64_t kPackEveryMs = 2'000;

absl::Status MakeDataDir(const std::string& path) {
  std::error_code error;
  // Holds a key: nobody else's. As root the database's user must be able to pass, not to list.
  if (std::filesystem::create_directories(path, error)) {
    ::chmod(path.c_str(), ::geteuid() == 0 ? 0711 : 0700);
  }
  if (error) {
    return absl::FailedPreconditionError("the data directory " + path +
                                         " cannot be made: " + error.message());
  }
  return absl::OkStatus();
}

base::PageTokens MakePageTokens(const base::Bytes32& key) {
  return base::PageTokens(base::HmacSha256(key, "astragal page tokens"));
}

std::string NodeName(base::Random& random) {
  std::array<uint8_t, 8> bytes{};
  random.Fill(bytes);
  return base::Hex(base::AsView(bytes));
}

template <typename Condition>
void AwaitAtMost(int timeout_ms, Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (!condition() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

core::Packing::Options PackingOptions(const Options& options) {
  core::Packing::Options packing;
  packing.after_ms = int64_t{options.pack_after_hours} * 3600 * 1000;
  packing.on_kept = [](base::GameId game, const absl::Status& why) {
    Log(Severity::kWarning, "the log of a game was not packed",
        {{"game", game.ToText()}, {"why", std::string(why.message())}});
  };
  return packing;
}

}  // namespace

struct Server::Parts {
  // In the order of making; destroyed in reverse.
  base::SystemRandom random;
  base::DatabaseClock clock;
  std::unique_ptr<host::Catalog> catalog;
  std::unique_ptr<base::SecretBox> box;
  std::unique_ptr<base::ThreadScheduler> threads;
  std::unique_ptr<CountingScheduler> scheduler;  // hands on to them
  std::unique_ptr<storage::Database> database;
  std::unique_ptr<storage::PgRatingStore> rating_store;
  std::unique_ptr<storage::HistoryStore> history_store;
  std::unique_ptr<storage::PgPackedLogs> packed_logs;
  std::unique_ptr<core::PackedStore> game_store;
  core::RatingProfiles rating_profiles;
  core::Outages outages;
  std::unique_ptr<core::Lag> lag;
  std::unique_ptr<core::Presence> presence;
  std::unique_ptr<core::Accounts> accounts;
  std::unique_ptr<core::Games> games;
  std::unique_ptr<core::Lobby> lobby;
  std::unique_ptr<core::LobbyBoard> board;
  std::unique_ptr<core::Matchmaker> matchmaker;
  std::unique_ptr<core::Matches> matches;
  std::unique_ptr<core::Affairs> affairs;
  std::unique_ptr<core::Ratings> ratings;
  std::unique_ptr<core::Receipts> receipts;
  std::unique_ptr<core::Packing> packing;
  std::unique_ptr<rpc::Gate> gate;
  std::unique_ptr<rpc::Calls> calls;
  std::unique_ptr<storage::AuditStore> audit;
  std::unique_ptr<storage::SignInStore> sign_ins;
  std::unique_ptr<auth::Issuer> issuer;
  std::unique_ptr<ruleset::RulesetService> ruleset_service;
  std::unique_ptr<storage::AccountData> account_data;
  std::unique_ptr<admin::ModerationService> moderation_service;
  std::unique_ptr<player::PlayerService> player_service;
  std::unique_ptr<auth::AuthService> auth_service;
  std::unique_ptr<event::EventService> event_service;
  std::unique_ptr<game::GameService> game_service;
  std::unique_ptr<history::HistoryService> history_service;
  std::unique_ptr<record::RecordService> record_service;
  std::unique_ptr<lobby::LobbyService> lobby_service;
  std::unique_ptr<match::MatchService> match_service;
  std::unique_ptr<rating::RatingService> rating_service;
  std::unique_ptr<tournament::TournamentPart> tournaments;
  std::unique_ptr<admin::AdminService> admin_service;
  Wellbeing wellbeing;
  std::unique_ptr<Metrics> metrics;
  std::unique_ptr<grpc::Server> grpc;
  std::string node;
  int port = 0;
  std::atomic<bool> ready = false;  // everything is made
  std::string operator_key;
  std::atomic<bool> stopping = false;

  admin::AdminService::About AboutThis() const;
  absl::Status LoadRulesets(const Options& options);
  absl::Status OpenKeys(const Options& options);
  absl::Status OpenDatabase(const Options& options);
  absl::Status ReadRatingProfiles(const Options& options);
  core::Ratings::Options RatingOptions();
  absl::Status MakeGate(const Options& options);
  void MakeServices(const Options& options);
  absl::Status Listen(const Options& options);
  absl::Status ServeMetrics(const Options& options);
  void SetServing(bool serving);
  void WatchHealth();
  void KeepHouse();
  void PackLogs();
  void ForgetRevokedKeys();
};

absl::Status Server::Parts::LoadRulesets(const Options& options) {
  absl::StatusOr<std::unique_ptr<host::Catalog>> opened = OpenCatalog(options);
  if (!opened.ok()) return opened.status();
  catalog = *std::move(opened);
  return absl::OkStatus();
}

absl::Status Server::Parts::OpenKeys(const Options& options) {
  absl::StatusOr<base::SecretBox> opened =
      base::SecretBox::FromKeyFile(options.data_dir + "/secrets.key", random);
  if (!opened.ok()) return opened.status();
  box = std::make_unique<base::SecretBox>(*std::move(opened));
  absl::StatusOr<std::string> key = base::ReadOrMakeOperatorKey(
      options.data_dir + "/" + std::string(base::kOperatorKeyFile), random);
  if (!key.ok()) return key.status();
  operator_key = *std::move(key);
  return absl::OkStatus();
}

absl::Status Server::Parts::OpenDatabase(const Options& options) {
  node = NodeName(random);
  storage::Database::Options wanted;
  wanted.url = options.database_url;
  wanted.data_dir = options.data_dir;
  wanted.node = node;
  wanted.pool_size = static_cast<size_t>(options.threads) + 2;
  wanted.log = [](std::string_view line) { Log(Severity::kInfo, line); };
  // A notification is a hint to look now and not at the next poll. The games and the scheduler are
  // made after the database, and the listener ends before them: see Stop.
  const auto poll_now = [this] {
    if (!ready || stopping) return;
    (void)scheduler->Post([this] { games->PollWatched(); });
  };
  wanted.on_batch = [this, poll_now](const std::string& from, uint64_t) {
    if (from != node) poll_now();
    if (ready && !stopping) affairs->Hint();
  };
  wanted.on_connected = poll_now;
  absl::StatusOr<std::unique_ptr<storage::Database>> opened =
      storage::Database::Open(std::move(wanted));
  if (!opened.ok()) return opened.status();
  database = *std::move(opened);
  return database->Observe(clock);
}

absl::Status Server::Parts::ReadRatingProfiles(const Options& options) {
  if (options.rating_profiles.empty()) return absl::OkStatus();
  std::ifstream file(options.rating_profiles);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) {
    return absl::FailedPreconditionError("cannot read the rating profiles in " +
                                         options.rating_profiles);
  }
  absl::StatusOr<core::RatingProfiles> profiles = core::RatingProfiles::Parse(text);
  if (!profiles.ok()) {
    return absl::FailedPreconditionError(options.rating_profiles + ": " +
                                         std::string(profiles.status().message()));
  }
  rating_profiles = *std::move(profiles);
  return absl::OkStatus();
}

admin::AdminService::About Server::Parts::AboutThis() const {
  admin::AdminService::About about{ASTRAGAL_VERSION, node, database->restore_epoch(), {}};
  for (const TransportLimit& limit : TransportLimits()) {
    about.transport.push_back({limit.name, static_cast<double>(limit.value), limit.description});
  }
  return about;
}

core::Ratings::Options Server::Parts::RatingOptions() {
  core::Ratings::Options ratings_options;
  ratings_options.profiles = rating_profiles;
  ratings_options.find_match = [this](base::MatchId id) {
    return core::ReadRatedMatch(database->matches(), id);
  };
  ratings_options.audit = [this](base::GameId id) { return core::AuditGame(games->world(), id); };
  ratings_options.add_help = [this](base::GameId id, core::HelpTally& tally) {
    return tally.Add(games->world(), id);
  };
  return ratings_options;
}

absl::Status Server::Parts::MakeGate(const Options& options) {
  accounts = std::make_unique<core::Accounts>(database->players(), clock, random);
  if (!options.issuer.empty()) {
    absl::StatusOr<std::unique_ptr<auth::Issuer>> opened =
        auth::Issuer::Open({options.issuer, options.issuer_audience, options.issuer_keys});
    if (!opened.ok()) return opened.status();
    issuer = *std::move(opened);
  }
  absl::StatusOr<std::unique_ptr<rpc::Gate>> made = OpenGate(options, operator_key, *accounts);
  if (made.ok()) gate = *std::move(made);
  return made.status();
}

void Server::Parts::MakeServices(const Options& options) {
  lag = std::make_unique<core::Lag>(clock, random);
  presence = std::make_unique<core::Presence>(clock, *scheduler, database->presence());
  history_store = std::make_unique<storage::HistoryStore>(database->pool());
  packed_logs = std::make_unique<storage::PgPackedLogs>(database->pool());
  game_store = std::make_unique<core::PackedStore>(database->games(), *packed_logs, *catalog);
  core::World world{clock, random, *scheduler, *game_store, *catalog, *box, outages};
  world.on_match_game_over = [this](const core::GameState& game) { matches->OnGameOver(game); };
  world.lag = lag.get();
  world.watch_buffered = wellbeing.watch_buffered;
  world.restore_epoch = database->restore_epoch();
  games = std::make_unique<core::Games>(world);
  lobby = std::make_unique<core::Lobby>(
      *games, database->lobby(), database->matches(),
      [this](base::PlayerId player) { return core::CompletionOf(*rating_store, player); });
  board = std::make_unique<core::LobbyBoard>(database->lobby(), *scheduler);
  matchmaker = std::make_unique<core::Matchmaker>(*lobby);
  matches = std::make_unique<core::Matches>(*games, database->matches());
  affairs = std::make_unique<core::Affairs>(world, database->affairs(), database->lobby());
  sign_ins = std::make_unique<storage::SignInStore>(database->pool());
  calls = std::make_unique<rpc::Calls>(*accounts, *gate, *scheduler, MakePageTokens(box->key()));
  ruleset_service = std::make_unique<ruleset::RulesetService>(*catalog, *calls);
  player_service = std::make_unique<player::PlayerService>(*calls);
  auth_service = std::make_unique<auth::AuthService>(
      auth::Outside{issuer.get(), sign_ins.get(), &clock}, *calls);
  event_service = std::make_unique<event::EventService>(*affairs, clock, *calls);
  receipts = std::make_unique<core::Receipts>(*box, static_cast<uint32_t>(options.receipt_key));
  game_service = std::make_unique<game::GameService>(*games, *presence, *lag, *receipts, *calls);
  packing = std::make_unique<core::Packing>(games->world(), database->games(), *packed_logs,
                                            PackingOptions(options));
  history_service = std::make_unique<history::HistoryService>(games->world(), *calls);
  record_service = std::make_unique<record::RecordService>(
      games->world(), *history_store, *packed_logs, *receipts,
      [this](storage::TournamentId id, base::PlayerId viewer) {
        return tournaments->MatchesOf(id, viewer);
      },
      *calls);
  lobby_service = std::make_unique<lobby::LobbyService>(*lobby, *board, *calls);
  match_service = std::make_unique<match::MatchService>(*matches, clock, *calls);
  audit = std::make_unique<storage::AuditStore>(database->pool());
  rating_store = std::make_unique<storage::PgRatingStore>(database->pool());
  ratings = std::make_unique<core::Ratings>(*rating_store, *catalog, clock, RatingOptions());
  rating_service = std::make_unique<rating::RatingService>(*ratings, database->players(), *calls);
  tournaments = std::make_unique<tournament::TournamentPart>(*games, *matches, database->matches(),
                                                             database->pool(), clock, *calls);
  account_data = std::make_unique<storage::AccountData>(database->pool());
  moderation_service = std::make_unique<admin::ModerationService>(
      *games, *account_data, admin::Audit(*audit, clock, random), *calls);
  admin_service = std::make_unique<admin::AdminService>(
      *catalog, options.plugins, AboutThis(), admin::Audit(*audit, clock, random), *calls);
  ready = true;
}

absl::Status Server::Parts::Listen(const Options& options) {
  // Generated code is linked only if something refers to it; reflection needs this file's schema.
  (void)grpc::health::v1::HealthCheckRequest::descriptor();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  const auto credentials = MakeCredentials(options);
  if (!credentials.ok()) return credentials.status();
  builder.AddListeningPort(options.listen, *credentials, &port);
  SetTransportLimits(builder);
  // Two servers on one port would share its clients by chance.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.RegisterService(ruleset_service.get());
  builder.RegisterService(moderation_service.get());
  builder.RegisterService(player_service.get());
  builder.RegisterService(auth_service.get());
  builder.RegisterService(event_service.get());
  builder.RegisterService(game_service.get());
  builder.RegisterService(history_service.get());
  builder.RegisterService(record_service.get());
  builder.RegisterService(lobby_service.get());
  builder.RegisterService(match_service.get());
  builder.RegisterService(rating_service.get());
  tournaments->Register(builder);
  builder.RegisterService(admin_service.get());
  grpc = builder.BuildAndStart();
  if (grpc == nullptr || port == 0) {
    return absl::FailedPreconditionError("cannot listen on " + options.listen +
                                         ": is something else serving there?");
  }
  return absl::OkStatus();
}

void Server::Parts::SetServing(bool serving) {
  grpc::HealthCheckServiceInterface* health = grpc->GetHealthCheckService();
  health->SetServingStatus("", serving);
  for (const char* name : ServiceNames()) health->SetServingStatus(name, serving);
  const std::string why = DegradedBy(*calls, *scheduler, *database, *catalog);
  health->SetServingStatus("live", true);  // whoever answers lives
  health->SetServingStatus("ready", serving);
  health->SetServingStatus("healthy", serving && why.empty());
  if (wellbeing.ready.exchange(serving) != serving) {
    Log(serving ? Severity::kInfo : Severity::kWarning, serving ? "ready" : "not ready");
  }
  if (wellbeing.degraded.exchange(!why.empty()) == why.empty()) {
    Log(Severity::kWarning, why.empty() ? "no longer degraded" : "degraded", {{"why", why}});
  }
}

absl::Status Server::Parts::ServeMetrics(const Options& options) {
  if (options.metrics.empty()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Metrics>> served =
      Metrics::Serve(options.metrics, *gate,
                     ReadingsOf(wellbeing, *calls, *scheduler, *games, *database, *catalog));
  if (!served.ok()) return served.status();
  metrics = *std::move(served);
  Log(Severity::kInfo, "metrics", {{"port", std::to_string(metrics->port())}});
  return absl::OkStatus();
}

void Server::Parts::WatchHealth() {
  scheduler->PostAfter(kHealthEveryMs, [this] {
    const absl::Status health = database->Health();
    if (stopping) return;
    SetServing(health.ok());
    WatchHealth();
  });
}

void Server::Parts::ForgetRevokedKeys() {
  scheduler->PostAfter(core::Accounts::kForgetEveryMs, [this] {
    if (accounts->ForgetRevoked()) calls->RecheckStreams();
    ForgetRevokedKeys();
  });
}

// Now and then: the clock follows the database's, and what is old is swept.
void Server::Parts::KeepHouse() {
  scheduler->PostAfter(kHouseEveryMs, [this] {
    (void)database->Observe(clock);  // while the database is away the last offset stands
    (void)database->players().SweepAnswers();
    KeepHouse();
  });
}

// A page at a time, so that it never takes a thread for long.
void Server::Parts::PackLogs() {
  const absl::StatusOr<core::Packing::Step> step = packing->Run();
  if (stopping) return;
  const bool has_more = step.ok() && step->looked_at == core::Packing::kPage;
  scheduler->PostAfter(has_more ? 1 : kPackEveryMs, [this] { PackLogs(); });
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Options& options) {
  auto parts = std::make_unique<Parts>();
  absl::Status status = MakeDataDir(options.data_dir);
  if (status.ok()) status = parts->LoadRulesets(options);
  if (status.ok()) status = parts->OpenKeys(options);
  if (status.ok()) status = parts->ReadRatingProfiles(options);
  if (!status.ok()) return status;
  parts->threads = std::make_unique<base::ThreadScheduler>(options.threads);
  parts->scheduler = std::make_unique<CountingScheduler>(*parts->threads);
  status = parts->OpenDatabase(options);
  if (status.ok()) status = parts->MakeGate(options);
  if (status.ok()) {
    parts->MakeServices(options);
    status = parts->Listen(options);
  }
  if (status.ok()) status = parts->ServeMetrics(options);
  std::unique_ptr<Server> server(new Server(std::move(parts)));
  if (!status.ok()) return status;
  server->parts_->SetServing(true);
  server->parts_->WatchHealth();
  server->parts_->KeepHouse();
  server->parts_->ForgetRevokedKeys();
  server->parts_->scheduler->PostAfter(kPackEveryMs,
                                       [parts = server->parts_.get()] { parts->PackLogs(); });
  server->parts_->games->Poll();
  server->parts_->games->PollForEver();
  server->parts_->matchmaker->RunForEver();
  server->parts_->board->PollForEver();
  server->parts_->matches->PollForEver();
  server->parts_->tournaments->PollForEver();
  server->parts_->affairs->PollForEver();
  server->parts_->presence->PollForEver();
  server->parts_->ratings->RunForEver(*server->parts_->scheduler);
  WarnGuest(options);
  Log(Severity::kInfo, "serving",
      {{"address", options.listen},
       {"port", std::to_string(server->parts_->port)},
       {"node", server->parts_->node}});
  return server;
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Server::~Server() {
  Stop();
  if (parts_->grpc == nullptr) return;
  // What is left are streams whose clients do not read: they are cancelled.
  parts_->grpc->Shutdown(std::chrono::system_clock::now());
  parts_->grpc->Wait();
}

void Server::Stop() {
  Parts& parts = *parts_;
  if (parts.stopping.exchange(true)) return;
  if (parts.grpc != nullptr) {
    parts.grpc->GetHealthCheckService()->Shutdown();  // not serving, whatever is said later
    parts.calls->Drain();
    AwaitAtMost(kDrainMs, [&] { return parts.calls->running() == 0; });
    AwaitAtMost(kDrainStreamsMs, [&] { return parts.calls->DrainingStreams() == 0; });
  }
  // From here on nothing reaches the database: calls do so on the scheduler only.
  if (parts.threads != nullptr) parts.threads->Stop();
  parts.metrics.reset();
  // The listener's thread goes with the database: while it lives, the rest must.
  parts.database.reset();
}

}  // namespace astragal::server
