import type { AdapterReading } from './adapter-reading.ts'
import { readGoBench } from './adapters/go-bench.ts'
import { readGoogleBenchmark } from './adapters/google-benchmark.ts'
import { readHyperfine } from './adapters/hyperfine.ts'
import { readVitestBench } from './adapters/vitest-bench.ts'
import { adapterNames } from './benchmark-report.ts'
import type { AdapterName, BenchmarkReport } from './benchmark-report.ts'
import { decodeText } from './decode-text.ts'
import { detectAdapter } from './detect-adapter.ts'
import { FormatError } from './format-error.ts'
import { parseJson } from './parse-json.ts'
import { makeUrisUnique } from './unique-uris.ts'
import { WarningList } from './warning-list.ts'

const readers: Record<AdapterName, (text: string, warnings: WarningList) => AdapterReading> = {
  google_benchmark: (text, warnings) => readGoogleBenchmark(parseJson(text), warnings),
  go_bench: readGoBench,
  hyperfine: (text, warnings) => readHyperfine(parseJson(text), warnings),
  vitest_bench: (text, warnings) => readVitestBench(parseJson(text), warnings),
}

/**
 * Reads the output of a benchmark tool. With `magic` (the default) the content decides which tool it was; the report's
 * `adapter` says which one was taken.
 * @throws {FormatError} with a place, when the bytes are not what the adapter reads.
 */
export function readBenchmarkResults(
  bytes: Uint8Array,
  options: { adapter?: 'magic' | AdapterName } = {},
): BenchmarkReport {
  const text = decodeText(bytes)
  const adapter = chooseAdapter(text, options.adapter ?? 'magic')
  const warnings = new WarningList()
  const { environment, results } = readers[adapter](text, warnings)
  if (results.length === 0) warnings.add('the file', 'there is no finished benchmark in it.')
  return { adapter, environment, results: makeUrisUnique(results, warnings), warnings: warnings.list() }
}

function chooseAdapter(text: string, asked: 'magic' | AdapterName): AdapterName {
  if (asked !== 'magic') return asked
  const detected = detectAdapter(text)
  if (detected) return detected
  throw new FormatError(
    `None of these wrote the file: ${adapterNames.join(', ')}. Name the adapter if one did`,
    1,
  )
}
