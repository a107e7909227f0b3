// Two threads, of which one calls itself and one calls a function that is inlined, for make-perf-script.sh.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t sink;

__attribute__((noinline)) uint64_t fib(uint64_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static inline __attribute__((always_inline)) uint64_t mix(uint64_t value) {
  for (int round = 0; round < 64; round++) value = value * 6364136223846793005u + (value >> 33);
  return value;
}

__attribute__((noinline)) void shuffle(int rounds) {
  for (int round = 0; round < rounds; round++) sink += mix(round);
}

static void *worker(void *rounds) {
  pthread_setname_np(pthread_self(), "worker two");
  shuffle((int)(intptr_t)rounds);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, (void *)(intptr_t)3000000);
  sink += fib(35);
  pthread_join(thread, 0);
  return 0;
}
