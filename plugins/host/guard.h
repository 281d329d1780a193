// The wall at which exceptions of plugins stop.
#ifndef ASTRAGAL_PLUGINS_HOST_GUARD_H_
#define ASTRAGAL_PLUGINS_HOST_GUARD_H_

namespace astragal::host {

// Runs `call`; false when an exception left it. Costs nothing when none does.
template <typename Call>
bool Returns(Call&& call) {
  try {
    call();
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_GUARD_H_
