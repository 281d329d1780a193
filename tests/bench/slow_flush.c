/* Preloaded into PostgreSQL (LD_PRELOAD): every flush to the disk takes SLOW_FLUSH_MS longer, as on
   a volume over a network. tests/bench/with_service starts a server with it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int (*flush_function)(int);

static void wait_first(void) {
  const char* text = getenv("SLOW_FLUSH_MS");
  const long ms = text == NULL ? 0 : strtol(text, NULL, 10);
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  while (ms > 0 && nanosleep(&left, &left) != 0) {
  }
}

static int flush(const char* name, int file) {
  flush_function next = NULL;
  *(void**)&next = dlsym(RTLD_NEXT, name);
  wait_first();
  return next == NULL ? -1 : next(file);
}

int fsync(int file) { return flush("fsync", file); }
int fdatasync(int file) { return flush("fdatasync", file); }
