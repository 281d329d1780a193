/* A library that takes its time to load, and is no ruleset. */
#include <time.h>

__attribute__((constructor)) static void TakeTime(void) {
  const struct timespec two_seconds = {2, 0};
  nanosleep(&two_seconds, NULL);
}
