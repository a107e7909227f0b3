import {
  FormatError,
  isEmptyProfileFolder,
  readBenchmarkResults,
  type AdapterName,
} from '@flamegate/benchmarks'
import { Problem } from '@flamegate/contract'
import type { NewResult } from '../ports/index.ts'

/** What a result file says, ready to be stored. */
export interface ReadResults {
  /** Names of the adapters, with commas. */
  adapter: string
  warnings: string[]
  /** What the file itself tells about machine and toolchain. */
  environment: Record<string, string>
  results: NewResult[]
}

const nothingMeasured = 'The upload has no benchmark, which it said it may.'
const needsBenchmark = 'There is no benchmark in the upload. Give --allow-empty if that may be'

/**
 * `allowEmpty` decides, where it is given, whether a profile folder of CodSpeed may be without a benchmark.
 * @throws Problem `unreadable_results`, which names the place.
 */
export function readResults(
  bytes: Uint8Array,
  adapter: 'magic' | AdapterName,
  { allowEmpty }: { allowEmpty?: boolean | undefined } = {},
): ReadResults {
  try {
    if (allowEmpty === true && isEmptyProfileFolder(bytes)) {
      return { adapter: 'codspeed', warnings: [nothingMeasured], environment: {}, results: [] }
    }
    const report = readBenchmarkResults(bytes, { adapter })
    if (allowEmpty === false && report.results.length === 0) throw new FormatError(needsBenchmark)
    return {
      adapter: report.adapters.join(', '),
      warnings: report.warnings,
      environment: report.environment,
      results: report.results.map(({ statistic, stats, ...result }) => ({
        ...result,
        stats: { ...stats, statistic },
      })),
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new Problem('unreadable_results', error.message, {
      cause: error,
      errors: [{ field: 'results', message: error.message }],
    })
  }
}
