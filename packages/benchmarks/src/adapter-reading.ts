import type { BenchmarkResult, Environment } from './benchmark-report.ts'

/** What an adapter finds in a file; its warnings go to the list it is given. */
export interface AdapterReading {
  environment: Environment
  results: BenchmarkResult[]
}
