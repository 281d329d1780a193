// What a process that tries plugins may use, and what it has started.
#ifndef ASTRAGAL_PLUGINS_HOST_LIMITS_H_
#define ASTRAGAL_PLUGINS_HOST_LIMITS_H_

namespace astragal::host {

// From now on this process writes no file and no core, opens few files, maps at most 2 GiB (as much
// as it likes under a sanitizer) and, if `cpu_seconds` is above 0, is ended after as much work.
void LimitThisProcess(int cpu_seconds);

// Threads of this process, itself included.
int CountThreads();

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_LIMITS_H_
