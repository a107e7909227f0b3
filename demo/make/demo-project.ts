/** A program of the demo workspace and how to measure one revision of it. */
export interface DemoProject {
  slug: string
  name: string
  description: string
  repository: string
  /** Called once, before the first revision is measured; `folder` holds the newest one. */
  prepare(folder: string): void
  /** Compiles the revision that is checked out in `folder`, where that takes compiling. */
  build(folder: string): void
  /** How often all revisions are gone over, and how often each is measured on such a visit. */
  visits: number
  measurementsPerVisit: number
  /** Runs the benchmarks of the revision that was built in `folder`; the tools write to `output`. */
  measure(folder: string, output: string): void
  /** Brings the files that stay to `output`, from the folders of all measurements of a revision, calmest first. */
  collect(measured: string[], output: string): MeasuredFile[]
  /** Profiles the same revision; kept apart, because profiling slows down. */
  profile(folder: string, output: string): ProfileFile[]
  environment(): Record<string, string>
}

export interface MeasuredFile {
  file: string
  adapter: 'vitest_bench' | 'go_bench' | 'hyperfine'
}

export interface ProfileFile {
  file: string
  type: 'cpu' | 'heap'
  /** The uri that `readBenchmarkResults` gives the profiled benchmark. */
  benchmark_uri: string
}
