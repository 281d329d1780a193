// What a key may be used for, and what a moderator may take from an account: values without
// behaviour. The numbers are stored and never change their meaning.
//
// A scope is a kind of thing that calls do; a key has a set of them. Every key may look at what its
// player may see. A role is nothing but a name for a set of scopes that belong together: what
// somebody may do in one game or one tournament follows from the seat or the office held there.
#ifndef ASTRAGAL_SERVICES_CORE_RIGHTS_H_
#define ASTRAGAL_SERVICES_CORE_RIGHTS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace astragal::core {

// In the order of v1.KeyScope.
enum class Scope : uint8_t { kRead, kPlay, kAccount, kDirect, kModerate, kOperate };

struct ScopeName {
  Scope scope;
  std::string_view word;
};
inline constexpr std::array kScopeNames = {
    ScopeName{Scope::kRead, "read"},         ScopeName{Scope::kPlay, "play"},
    ScopeName{Scope::kAccount, "account"},   ScopeName{Scope::kDirect, "direct"},
    ScopeName{Scope::kModerate, "moderate"}, ScopeName{Scope::kOperate, "operate"},
};

constexpr std::string_view WordOf(Scope scope) {
  return kScopeNames[static_cast<size_t>(scope)].word;
}

// A set of scopes: bit n is the scope with number n.
class Scopes {
 public:
  constexpr Scopes() = default;
  constexpr explicit Scopes(uint32_t bits) : bits_(bits) {}
  template <typename... More>
  static constexpr Scopes Of(More... scopes) {
    return Scopes((Scopes::Bit(scopes) | ... | Bit(Scope::kRead)));
  }
  static constexpr Scopes All() { return Scopes((1U << kScopeNames.size()) - 1); }

  constexpr bool Has(Scope scope) const { return (bits_ & Bit(scope)) != 0; }
  constexpr bool Includes(Scopes others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr uint32_t bits() const { return bits_; }
  friend constexpr bool operator==(Scopes, Scopes) = default;

 private:
  static constexpr uint32_t Bit(Scope scope) { return 1U << static_cast<unsigned>(scope); }

  uint32_t bits_ = 0;
};

struct Role {
  std::string_view word;
  Scopes scopes;
};
inline constexpr std::array kRoles = {
    Role{"viewer", Scopes::Of()},
    Role{"bot", Scopes::Of(Scope::kPlay)},
    Role{"director", Scopes::Of(Scope::kDirect)},
    // What a player's first key may: also to organise.
    Role{"player", Scopes::Of(Scope::kPlay, Scope::kAccount, Scope::kDirect)},
    Role{"moderator", Scopes::Of(Scope::kModerate)},
    Role{"operator", Scopes::Of(Scope::kModerate, Scope::kOperate)},
};

constexpr std::optional<Scopes> ScopesOfRole(std::string_view word) {
  for (const Role& role : kRoles) {
    if (role.word == word) return role.scopes;
  }
  return std::nullopt;
}

inline constexpr Scopes kPlayerScopes = *ScopesOfRole("player");

// What an account may not do for now, each more than the one before.
enum class Restriction : uint8_t {
  kNone,
  kNoNewGames,  // begins nothing new; what has begun may be played to its end
  kBanned,      // does nothing but look
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RIGHTS_H_
