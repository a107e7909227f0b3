import { asv } from './asv.ts'
import { bencherJson } from './bencher-json.ts'
import { benchmarkDotnet } from './benchmark-dotnet.ts'
import { benchmarkJs } from './benchmark-js.ts'
import { callgrind } from './callgrind.ts'
import { catch2 } from './catch2.ts'
import { codspeed } from './codspeed.ts'
import { criterion } from './criterion.ts'
import { dart } from './dart.ts'
import {
  githubActionBenchmark,
  githubActionBenchmarkBigger,
  githubActionBenchmarkSmaller,
} from './github-action-benchmark.ts'
import { goBench } from './go-bench.ts'
import { googleBenchmark } from './google-benchmark.ts'
import { gungraun } from './gungraun.ts'
import { hyperfine } from './hyperfine.ts'
import { iai } from './iai.ts'
import { jmh } from './jmh.ts'
import { jsTime } from './js-time.ts'
import { julia } from './julia.ts'
import { luau } from './luau.ts'
import { pytestBenchmark } from './pytest-benchmark.ts'
import { rubyBenchmark } from './ruby-benchmark.ts'
import { rubyBenchmarkIps } from './ruby-benchmark-ips.ts'
import { rustBench } from './rust-bench.ts'
import { tinybench } from './tinybench.ts'
import { vitestBench } from './vitest-bench.ts'

/**
 * Every tool whose output can be read. What a file is, is asked in this order: a format that could be mistaken for a
 * looser one stands before it.
 */
export const adapters = [
  googleBenchmark,
  hyperfine,
  vitestBench,
  pytestBenchmark,
  jmh,
  benchmarkDotnet,
  julia,
  asv,
  catch2,
  codspeed,
  callgrind,
  gungraun,
  iai,
  criterion,
  rustBench,
  tinybench,
  goBench,
  luau,
  benchmarkJs,
  rubyBenchmark,
  rubyBenchmarkIps,
  dart,
  githubActionBenchmark,
  githubActionBenchmarkSmaller,
  githubActionBenchmarkBigger,
  bencherJson,
  jsTime,
] as const

export type AdapterName = (typeof adapters)[number]['name']

export const adapterNames: readonly AdapterName[] = adapters.map(({ name }) => name)
