#include "services/core/lobby_board.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace astragal::core {
namespace {

using ById = absl::flat_hash_map<ProposalId, ProposalPtr>;

ById IndexOf(const std::vector<ProposalPtr>& proposals) {
  ById by_id;
  for (const ProposalPtr& proposal : proposals) by_id[proposal->record.id] = proposal;
  return by_id;
}

bool SameSeeks(const LobbyPicture& one, const LobbyPicture& other) {
  return std::ranges::equal(
      one.seeks, other.seeks, {}, [](const ProposalPtr& seek) { return seek->record.id; },
      [](const ProposalPtr& seek) { return seek->record.id; });
}

}  // namespace

LobbyDifference Compare(const LobbyPicture& before, const LobbyPicture& after) {
  LobbyDifference difference;
  const ById old_seeks = IndexOf(before.seeks);
  const ById new_seeks = IndexOf(after.seeks);
  const ById ended = IndexOf(after.ended);
  for (const ProposalPtr& seek : after.seeks) {
    if (!old_seeks.contains(seek->record.id)) difference.opened.push_back(seek);
  }
  for (const ProposalPtr& seek : before.seeks) {
    if (new_seeks.contains(seek->record.id)) continue;
    const auto found = ended.find(seek->record.id);
    difference.closed.push_back(found == ended.end() ? seek : found->second);
  }
  return difference;
}

absl::StatusOr<PicturePtr> LobbyBoard::Draw(const LobbyPicture& before) {
  absl::StatusOr<std::vector<storage::ProposalRecord>> open = store_.ListSeeks({}, kMaxSeeks);
  if (!open.ok()) return open.status();
  auto drawn = std::make_shared<LobbyPicture>();
  const ById known = IndexOf(before.seeks);
  for (storage::ProposalRecord& record : *open) {
    if (const auto found = known.find(record.id); found != known.end()) {
      drawn->seeks.push_back(found->second);
    } else if (absl::StatusOr<Proposal> seek = ReadProposal(std::move(record)); seek.ok()) {
      drawn->seeks.push_back(std::make_shared<const Proposal>(*std::move(seek)));
    }
  }
  std::vector<ProposalId> gone;
  for (const ProposalPtr& seek : Compare(before, *drawn).closed) gone.push_back(seek->record.id);
  drawn->ended = before.ended;
  if (gone.empty()) return PicturePtr(std::move(drawn));
  absl::StatusOr<std::vector<storage::ProposalRecord>> records = store_.GetProposals(gone);
  if (!records.ok()) return records.status();
  for (storage::ProposalRecord& record : *records) {
    absl::StatusOr<Proposal> seek = ReadProposal(std::move(record));
    if (!seek.ok()) continue;
    Lobby::HideGame(*seek, {});
    drawn->ended.push_back(std::make_shared<const Proposal>(*std::move(seek)));
  }
  if (drawn->ended.size() > kMaxEnded) {
    drawn->ended.erase(drawn->ended.begin(), drawn->ended.end() - kMaxEnded);
  }
  return PicturePtr(std::move(drawn));
}

absl::Status LobbyBoard::Renew() {
  const PicturePtr before = picture();
  absl::StatusOr<PicturePtr> after = Draw(*before);
  if (!after.ok()) return after.status();
  if (SameSeeks(*before, **after)) return absl::OkStatus();
  std::vector<std::shared_ptr<LobbyViewer>> viewers;
  {
    const base::MutexLock lock(mutex_);
    picture_ = *std::move(after);
    for (const std::weak_ptr<LobbyViewer>& weak : viewers_) {
      if (std::shared_ptr<LobbyViewer> viewer = weak.lock()) viewers.push_back(std::move(viewer));
    }
  }
  for (const std::shared_ptr<LobbyViewer>& viewer : viewers) viewer->OnPicture();
  return absl::OkStatus();
}

absl::StatusOr<PicturePtr> LobbyBoard::Subscribe(std::weak_ptr<LobbyViewer> viewer) {
  bool is_stale = false;  // nobody looked until now
  {
    const base::MutexLock lock(mutex_);
    std::erase_if(viewers_, [](const std::weak_ptr<LobbyViewer>& weak) { return weak.expired(); });
    is_stale = viewers_.empty();
    viewers_.push_back(std::move(viewer));
  }
  if (is_stale) {
    const base::MutexLock lock(poll_mutex_);
    if (absl::Status renewed = Renew(); !renewed.ok()) return renewed;
  }
  return picture();
}

PicturePtr LobbyBoard::picture() const {
  const base::MutexLock lock(mutex_);
  return picture_;
}

void LobbyBoard::Poll() {
  {
    const base::MutexLock lock(mutex_);
    std::erase_if(viewers_, [](const std::weak_ptr<LobbyViewer>& weak) { return weak.expired(); });
    if (viewers_.empty()) return;
  }
  const base::MutexLock lock(poll_mutex_);
  Renew().IgnoreError();  // the next round looks again
}

void LobbyBoard::PollForEver() {
  scheduler_.PostAfter(kPollMs, [this] {
    Poll();
    PollForEver();
  });
}

}  // namespace astragal::core
