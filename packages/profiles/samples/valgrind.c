/* What Valgrind's tools measure for the samples: make-valgrind.sh builds and runs it. */
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>
#include <valgrind/dhat.h>
#include "valgrind.h"

#define APART __attribute__((noinline, noclone))

static unsigned table[4096];
static char *kept[40];

APART unsigned hash_bytes(const unsigned char *bytes, int length) {
  unsigned hash = 2166136261u;
  for (int at = 0; at < length; at++) hash = mix(hash, bytes[at]);
  return hash;
}

APART int fib(int n) {
  if (n < 2) return n;
  return fib(n - 1) + fib(n - 2);
}

/* These two call each other. */
APART int is_odd(int n);
APART int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1) & 1; }
APART int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1) & 1; }

APART unsigned walk(int stride) {
  unsigned sum = 0;
  for (int at = 0; at < 4096; at += stride) sum += table[at]++;
  return sum;
}

APART unsigned bench_hash(void) {
  unsigned char bytes[64];
  memset(bytes, 7, sizeof bytes);
  unsigned sum = 0;
  for (int round = 0; round < 20; round++) {
    bytes[round] = (unsigned char)(sum + round);
    sum += hash_bytes(bytes, sizeof bytes);
  }
  return sum + hash_bytes(bytes, 8) + (unsigned)fib(8);
}

APART unsigned bench_walk(void) {
  unsigned sum = 0;
  for (int stride = 1; stride <= 64; stride *= 4) sum += walk(stride);
  return sum + hash_bytes((unsigned char *)table, 32) + (unsigned)is_even(30);
}

APART void keep(int count) {
  for (int at = 0; at < count; at++) {
    kept[at] = malloc(1000);
    memset(kept[at], 1, 1000);
  }
}

APART void use_and_free(int count, int size) {
  for (int at = 0; at < count; at++) {
    char *block = malloc(64);
    memset(block, 2, 64);
    memcpy(block + 32, block, size);
    DHAT_AD_HOC_EVENT(5);
    free(block);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "memory") == 0) {
    keep(40);
    use_and_free(100, 10 * argc);
    return kept[39] == 0;
  }
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT("Metadata: sample-harness 1.0");
  unsigned sum = bench_hash();
  CALLGRIND_DUMP_STATS_AT("samples/valgrind.c::bench_hash");
  sum += bench_walk();
  CALLGRIND_DUMP_STATS_AT("samples/valgrind.c::bench_walk");
  return sum == 0;
}
