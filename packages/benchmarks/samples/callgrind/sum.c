/* Counts only what the benchmark itself does; the rest of the program is not instrumented. */
#include <stdint.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

int main(void) {
  size_t count = 1 << 16;
  uint32_t *numbers = calloc(count, sizeof *numbers);
  volatile uint32_t sink;
  uint32_t sum = 0;

  CALLGRIND_START_INSTRUMENTATION;
  for (size_t i = 0; i < count; i++) sum += numbers[i];
  CALLGRIND_STOP_INSTRUMENTATION;
  sink = sum;
  (void)sink;
  free(numbers);
  return 0;
}
