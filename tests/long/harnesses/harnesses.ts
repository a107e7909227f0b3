import { join } from 'node:path'
import type { Harness } from './harness.ts'

const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')

// The same arithmetic everywhere: a chain that no compiler can shorten, as many times as WORK says.
const cLoop = `static unsigned work(long amount) {
  unsigned sum = 1;
  for (long index = 0; index < amount; index++) sum = sum * 1664525u + (sum >> 7) + (unsigned)index;
  return sum;
}`

/** Real tools, each with one benchmark; those of them that a machine has. */
export const harnesses: readonly Harness[] = [
  {
    name: 'hyperfine',
    version: ['hyperfine', '--version'],
    files: {
      'work.c': `#include <stdlib.h>
#include <stdio.h>
${cLoop}
int main(void) { return work(atol(getenv("WORK")) * 120000) == 42 ? puts("42") : 0; }
`,
    },
    build: ['gcc', '-O2', '-o', 'work', 'work.c'],
    command: [
      'hyperfine',
      '-N',
      '--style',
      'none',
      '--warmup',
      '3',
      '--runs',
      '40',
      '--command-name',
      'work',
      './work',
    ],
  },
  {
    name: 'go test -bench',
    version: ['go', 'version'],
    files: {
      'go.mod': 'module example.com/work\n\ngo 1.19\n',
      'work_test.go': `package work

import (
	"os"
	"strconv"
	"testing"
)

var sink uint32

func BenchmarkWork(b *testing.B) {
	amount, _ := strconv.Atoi(os.Getenv("WORK"))
	for n := 0; n < b.N; n++ {
		sum := uint32(1)
		for index := 0; index < amount*1000; index++ {
			sum = sum*1664525 + sum>>7 + uint32(index)
		}
		sink = sum
	}
}
`,
    },
    build: ['go', 'vet', '.'],
    command: ['go', 'test', '-bench', '.', '-run', '^$', '-count', '10', '-benchtime', '100ms'],
  },
  {
    name: 'pytest-benchmark',
    version: ['pytest', '--benchmark-min-rounds=1', '--version'],
    files: {
      'test_work.py': `import os

amount = int(os.environ["WORK"]) * 200


def work():
    total = 1
    for index in range(amount):
        total = (total * 31 + index) & 0xFFFFFFFF
    return total


def test_work(benchmark):
    benchmark(work)
`,
    },
    command: ['pytest', '-q', '-p', 'no:cacheprovider', '--benchmark-max-time=1', 'test_work.py'],
  },
  {
    name: 'Google Benchmark',
    version: ['sh', '-c', 'test -e /usr/include/benchmark/benchmark.h && g++ --version'],
    files: {
      'work.cc': `#include <benchmark/benchmark.h>
#include <cstdlib>
${cLoop}
static void Work(benchmark::State& state) {
  long amount = atol(getenv("WORK")) * 1000;
  for (auto _ : state) benchmark::DoNotOptimize(work(amount));
}
BENCHMARK(Work)->Repetitions(10)->MinTime(0.1);
BENCHMARK_MAIN();
`,
    },
    build: ['g++', '-O2', '-o', 'work', 'work.cc', '-lbenchmark', '-lpthread'],
    command: ['./work'],
  },
  {
    name: 'Vitest bench',
    version: [process.execPath, vitest, '--version'],
    files: {
      'package.json': '{ "type": "module", "private": true }\n',
      'work.bench.js': `import { test } from 'vitest'

const amount = Number(process.env.WORK) * 1000

function work() {
  let sum = 1
  for (let index = 0; index < amount; index++) sum = (Math.imul(sum, 1664525) + (sum >>> 7) + index) | 0
  return sum
}

test('work', { timeout: 60_000 }, async ({ bench }) => {
  await bench('work', () => void work()).run({ time: 1500, warmupTime: 500 })
})
`,
    },
    command: ['npx', 'vitest', 'bench', '--run'],
  },
]
