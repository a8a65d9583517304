/*
 * Preloaded into a process, it adds an offset to the wall clock, and to nothing else: monotonic time and timers stay as they
 * are. The offset in milliseconds is a 64-bit number in the file that CLOCK_SHIM names; who writes it steps the clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none;
static volatile int64_t *offset = &none;
static int (*real_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("CLOCK_SHIM");
  int file = path ? open(path, O_RDONLY) : -1;
  if (file >= 0) {
    void *mapped = mmap(0, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!real_gettime) begin();
  int result = real_gettime(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanos = now->tv_nsec + (*offset % 1000) * 1000000;
    int64_t carry = nanos < 0 ? -1 : nanos / 1000000000;
    now->tv_sec += *offset / 1000 + carry;
    now->tv_nsec = nanos - carry * 1000000000;
  }
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  if (result == 0) {
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
  }
  return result;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
