#include "services/core/proposal.h"

#include <algorithm>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::Error;
using base::Reason;

constexpr uint8_t kLayout = 1;
constexpr uint8_t kInvitingLayout = 2;    // of terms
constexpr uint8_t kCompletionLayout = 3;  // of terms
constexpr int kWhole = 100;               // percent
constexpr size_t kMaxText = 255;

Error BadTerms(std::string_view field, const std::string& why) {
  return Error(Reason::kBadField, "terms." + std::string(field) + " " + why)
      .With("field", "terms." + std::string(field));
}

void PutText(const std::string& text, ByteWriter& out) {
  out.Put(static_cast<uint8_t>(text.size())).Put(std::string_view(text));
}

std::string GetText(ByteReader& in) { return std::string(in.Take(in.Get<uint8_t>())); }

void PutMatch(const MatchTerms& match, ByteWriter& out) {
  out.Put(static_cast<uint8_t>(match.kind)).Put(match.length);
  out.Put(match.first_mover ? static_cast<uint8_t>(*match.first_mover) : uint8_t{0});
  out.Put(static_cast<uint8_t>(match.match_clock));
  out.Put(static_cast<uint8_t>(match.timeout_loses));
}

MatchTerms GetMatch(uint8_t kind, ByteReader& in) {
  MatchTerms match;
  match.kind = static_cast<storage::MatchKind>(kind);
  match.length = in.Get<uint16_t>();
  if (const auto first = in.Get<uint8_t>(); first != 0) {
    match.first_mover = static_cast<storage::FirstMover>(first);
  }
  match.match_clock = in.Get<uint8_t>() != 0;
  match.timeout_loses = in.Get<uint8_t>() != 0;
  return match;
}

uint8_t LayoutOf(const ProposalTerms& terms) {
  if (terms.least_completion != 0 || terms.missed != 0) return kCompletionLayout;
  return terms.invite_contributions ? kInvitingLayout : kLayout;
}

bool IsPercent(int number) { return number >= 0 && number <= kWhole; }

absl::Status Damaged(std::string_view what) {
  return Error(Reason::kInternal, "the stored " + std::string(what) + " cannot be read");
}

}  // namespace

absl::Status CheckTerms(const ProposalTerms& terms) {
  if (terms.ruleset.empty()) return BadTerms("ruleset_id", "is required");
  if (terms.ruleset.size() > kMaxText) return BadTerms("ruleset_id", "is too long");
  if (terms.preset.size() > kMaxText) return BadTerms("preset", "is too long");
  const auto is_long = [](const auto& option) {
    return option.first.size() > kMaxText || option.second.size() > kMaxText;
  };
  if (terms.options.size() > kMaxTermsOptions || std::ranges::any_of(terms.options, is_long) ||
      EncodeTerms(terms).size() > kMaxTermsBytes) {
    return BadTerms("options", "are too many or too long");
  }
  if (terms.seat && (*terms.seat < 0 || *terms.seat > 1)) {
    return BadTerms("seat", "must be 0 or 1, or unset");
  }
  if (!IsPercent(terms.least_completion)) {
    return BadTerms("min_completion_percent", "must be 0 to 100");
  }
  return terms.match ? CheckMatch(*terms.match, terms.clock, "terms.match") : absl::OkStatus();
}

std::string EncodeTerms(const ProposalTerms& terms) {
  ByteWriter out;
  const uint8_t layout = LayoutOf(terms);
  out.Put(layout);
  PutText(terms.ruleset, out);
  out.Put(terms.rules_version);
  PutText(terms.preset, out);
  out.Put(static_cast<uint8_t>(terms.options.size()));
  for (const auto& [name, value] : terms.options) {
    PutText(name, out);
    PutText(value, out);
  }
  out.Put(static_cast<int8_t>(terms.seat.value_or(-1)));
  out.Put(static_cast<uint8_t>(terms.visibility)).Put(static_cast<uint8_t>(terms.rated));
  out.Put(static_cast<uint8_t>(terms.clock.kind)).Put(terms.clock.reserve_ms);
  out.Put(terms.clock.increment_ms).Put(terms.clock.first_turn_ms);
  out.Put(terms.last_opponent.bytes());
  if (terms.match) {
    PutMatch(*terms.match, out);
  } else {
    out.Put(uint8_t{0});
  }
  if (layout != kLayout) out.Put(static_cast<uint8_t>(terms.invite_contributions));
  if (layout == kCompletionLayout) {
    out.Put(static_cast<uint8_t>(terms.least_completion)).Put(static_cast<uint8_t>(terms.missed));
  }
  return out.Take();
}

absl::StatusOr<ProposalTerms> DecodeTerms(std::string_view bytes) {
  ByteReader in(bytes);
  const auto layout = in.Get<uint8_t>();
  if (layout < kLayout || layout > kCompletionLayout) return Damaged("terms");
  ProposalTerms terms;
  terms.ruleset = GetText(in);
  terms.rules_version = in.Get<uint32_t>();
  terms.preset = GetText(in);
  for (int left = in.Get<uint8_t>(); left > 0; --left) {
    std::string name = GetText(in);
    terms.options.emplace_back(std::move(name), GetText(in));
  }
  const int seat = in.Get<int8_t>();
  if (seat >= 0) terms.seat = seat;
  terms.visibility = static_cast<storage::Visibility>(in.Get<uint8_t>());
  terms.rated = in.Get<uint8_t>() != 0;
  terms.clock.kind = static_cast<storage::ClockKind>(in.Get<uint8_t>());
  terms.clock.reserve_ms = in.Get<int64_t>();
  terms.clock.increment_ms = in.Get<int64_t>();
  terms.clock.first_turn_ms = in.Get<int64_t>();
  terms.last_opponent = PlayerId(in.GetArray<16>());
  if (const auto kind = in.Get<uint8_t>(); kind != 0) terms.match = GetMatch(kind, in);
  if (layout != kLayout) {
    const auto invites = in.Get<uint8_t>();
    if (invites > 1 || (invites == 0 && layout == kInvitingLayout)) return Damaged("terms");
    terms.invite_contributions = invites != 0;
  }
  if (layout == kCompletionLayout) {
    terms.least_completion = in.Get<uint8_t>();
    terms.missed = in.Get<uint8_t>();
    if (!IsPercent(terms.least_completion) || !IsPercent(terms.missed)) return Damaged("terms");
  }
  if (!in.at_end()) return Damaged("terms");
  return terms;
}

absl::StatusOr<Proposal> ReadProposal(storage::ProposalRecord record) {
  absl::StatusOr<ProposalTerms> terms = DecodeTerms(record.terms);
  if (!terms.ok()) return terms.status();
  return Proposal{std::move(record), *std::move(terms)};
}

std::string EncodeProposal(const storage::ProposalRecord& record) {
  ByteWriter out;
  out.Put(kLayout).Put(record.id.bytes()).Put(static_cast<uint8_t>(record.kind));
  out.Put(static_cast<uint8_t>(record.state)).Put(record.player.bytes());
  out.Put(record.opponent.bytes()).Put(record.rating).Put(record.created_at.micros);
  out.Put(record.expires_at.micros).Put(record.game.bytes());
  out.Put(static_cast<uint16_t>(record.terms.size())).Put(std::string_view(record.terms));
  return out.Take();
}

absl::StatusOr<storage::ProposalRecord> DecodeProposal(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.Get<uint8_t>() != kLayout) return Damaged("answer");
  storage::ProposalRecord record;
  record.id = ProposalId(in.GetArray<16>());
  record.kind = static_cast<storage::ProposalKind>(in.Get<uint8_t>());
  record.state = static_cast<storage::ProposalState>(in.Get<uint8_t>());
  record.player = PlayerId(in.GetArray<16>());
  record.opponent = PlayerId(in.GetArray<16>());
  record.rating = in.Get<int32_t>();
  record.created_at.micros = in.Get<int64_t>();
  record.expires_at.micros = in.Get<int64_t>();
  record.game = GameId(in.GetArray<16>());
  record.terms = std::string(in.Take(in.Get<uint16_t>()));
  if (!in.at_end()) return Damaged("answer");
  return record;
}

bool MaySee(const storage::ProposalRecord& record, PlayerId viewer) {
  if (record.kind == storage::ProposalKind::kSeek) return true;
  return !viewer.is_nil() && (record.player == viewer || record.opponent == viewer);
}

absl::Status NoSuchProposal() { return Error(Reason::kNotFound, "no such proposal"); }

absl::Status ProposalClosed(storage::ProposalState state) {
  return Error(Reason::kProposalClosed, "the proposal is not open any more")
      .With("state", static_cast<int64_t>(state));
}

CreateGame GameOn(const ProposalTerms& terms) {
  CreateGame create;
  create.ruleset = terms.ruleset;
  create.rules_version = terms.rules_version;
  create.preset = terms.preset;
  create.options = terms.options;
  create.terms.visibility = terms.visibility;
  create.terms.rated = terms.rated;
  create.terms.clock = terms.clock;
  create.invite_contributions = terms.invite_contributions;
  return create;
}

}  // namespace astragal::core
