/* Two benchmarks with the client requests that CodSpeed's integrations make. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

static uint32_t checksum(const uint8_t *bytes, size_t count) {
  uint32_t sum = 1;
  for (size_t i = 0; i < count; i++) sum = sum * 31 + bytes[i];
  return sum;
}

/* A stride of one page, so that nearly every access misses the first cache. */
static uint32_t stride(const uint8_t *bytes, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i += 4096) sum += bytes[i];
  return sum;
}

int main(void) {
  size_t count = 1 << 20;
  uint8_t *bytes = calloc(count, 1);
  volatile uint32_t sink;

  CALLGRIND_DUMP_STATS_AT("Metadata: codspeed-cpp 2.1.0");
  CALLGRIND_ZERO_STATS;
  CALLGRIND_START_INSTRUMENTATION;
  sink = checksum(bytes, 4096);
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT("bench/two.c::text::checksum");

  CALLGRIND_ZERO_STATS;
  CALLGRIND_START_INSTRUMENTATION;
  sink = stride(bytes, count);
  write(-1, "", 1);
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT("bench/two.c::text::stride");
  (void)sink;
  free(bytes);
  return 0;
}
