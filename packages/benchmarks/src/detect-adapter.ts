import { isGoBench } from './adapters/go-bench.ts'
import { isGoogleBenchmark } from './adapters/google-benchmark.ts'
import { isHyperfine } from './adapters/hyperfine.ts'
import { isVitestBench } from './adapters/vitest-bench.ts'
import type { AdapterName } from './benchmark-report.ts'
import { parseJson } from './parse-json.ts'

/**
 * Which tool wrote the text, told by its content; undefined when none is recognised.
 * @throws {FormatError} when the text is JSON by its first character, but does not parse.
 */
export function detectAdapter(text: string): AdapterName | undefined {
  if (!/^\s*[[{]/.test(text)) return isGoBench(text) ? 'go_bench' : undefined
  const json = parseJson(text)
  if (isGoogleBenchmark(json)) return 'google_benchmark'
  if (isHyperfine(json)) return 'hyperfine'
  if (isVitestBench(json)) return 'vitest_bench'
  return undefined
}
