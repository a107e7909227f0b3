import { join } from 'node:path'
import type { Harness } from './harness.ts'

const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')

// The same arithmetic everywhere: a chain that no compiler can shorten. How often is in a variable that none looks into.
const cLoop = `static unsigned work(long amount) {
  unsigned sum = 1;
  for (long index = 0; index < amount; index++) sum = sum * 1664525u + (sum >> 7) + (unsigned)index;
  return sum;
}`

/**
 * Real tools, each with one benchmark; those of them that a machine has. They measure for some tenths of a second, because
 * more processes tell more than longer ones.
 */
export const harnesses: readonly Harness[] = [
  {
    name: 'hyperfine',
    version: ['hyperfine', '--version'],
    files: (work) => ({
      'work.c': `#include <stdio.h>
${cLoop}
static volatile long amount = ${work} * 120000L;
int main(void) { return work(amount) == 42 ? puts("42") : 0; }
`,
    }),
    build: ['gcc', '-O2', '-o', 'work', 'work.c'],
    command: [
      'hyperfine',
      '-N',
      '--style',
      'none',
      '--warmup',
      '1',
      '--runs',
      '7',
      '--command-name',
      'work',
      './work',
    ],
  },
  {
    name: 'go test -bench',
    version: ['go', 'version'],
    files: (work) => ({
      'go.mod': 'module example.com/work\n\ngo 1.19\n',
      'work_test.go': `package work

import "testing"

var amount = ${work} * 1000
var sink uint32

func BenchmarkWork(b *testing.B) {
	for n := 0; n < b.N; n++ {
		sum := uint32(1)
		for index := 0; index < amount; index++ {
			sum = sum*1664525 + sum>>7 + uint32(index)
		}
		sink = sum
	}
}
`,
    }),
    // Built once, as for every measurement in several processes.
    build: ['go', 'test', '-c', '-o', 'work.test'],
    command: ['./work.test', '-test.bench', '.', '-test.count', '5', '-test.benchtime', '20ms'],
  },
  {
    name: 'pytest-benchmark',
    version: ['pytest', '--benchmark-min-rounds=1', '--version'],
    files: (work) => ({
      // To ask the processor for its name, and to find out how fine the clock is, takes a second each time.
      'conftest.py': 'def pytest_benchmark_generate_machine_info(config):\n    return {}\n',
      'test_work.py': `amount = ${work} * 200


def work():
    total = 1
    for index in range(amount):
        total = (total * 31 + index) & 0xFFFFFFFF
    return total


def test_work(benchmark):
    benchmark.pedantic(work, rounds=60, warmup_rounds=5)
`,
    }),
    command: ['pytest', '-q', '-p', 'no:cacheprovider', 'test_work.py'],
  },
  {
    name: 'Google Benchmark',
    version: ['sh', '-c', 'test -e /usr/include/benchmark/benchmark.h && g++ --version'],
    files: (work) => ({
      'work.cc': `#include <benchmark/benchmark.h>
${cLoop}
static volatile long amount = ${work} * 1000L;
static void Work(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(work(amount));
}
BENCHMARK(Work)->Repetitions(5)->MinTime(0.02);
BENCHMARK_MAIN();
`,
    }),
    build: ['g++', '-O2', '-o', 'work', 'work.cc', '-lbenchmark', '-lpthread'],
    command: ['./work'],
  },
  {
    name: 'Vitest bench',
    // V8 throws its first compiled form of the loop away after some 150 ms, for one of a fifth of its speed: measured before
    // that, a process tells how much of its time fell on either side, and not what the loop takes.
    version: [process.execPath, vitest, '--version'],
    files: (work) => ({
      'package.json': '{ "type": "module", "private": true }\n',
      'work.bench.js': `import { test } from 'vitest'

const amount = ${work} * 1000

function work() {
  let sum = 1
  for (let index = 0; index < amount; index++) sum = (Math.imul(sum, 1664525) + (sum >>> 7) + index) | 0
  return sum
}

test('work', { timeout: 60_000 }, async ({ bench }) => {
  await bench('work', () => void work()).run({ time: 400, warmupTime: 400 })
})
`,
    }),
    command: ['node_modules/.bin/vitest', 'bench', '--run'],
  },
]
