import { z } from 'zod'
import { branch, tags, timestamp } from '../fields.ts'

/** How callers name the place of runs: by its repository, or by the project when it has none. */
export const repositoryOrProject = z
  .string()
  .min(1)
  .max(200)
  .describe('owner/name, or id of the project (prj_…); list_repositories shows them.')

export const runReference = z
  .string()
  .min(1)
  .max(250)
  .describe('Id (run_…), a branch for its newest run, or latest; list_runs shows them.')

/** What a run is held against. */
export const baselineReference = z
  .string()
  .min(1)
  .max(250)
  .default('baseline')
  .describe(
    'Id or branch to judge against. baseline: the pinned run, else the merge base’s, else its base or the default branch’s.',
  )

/** Narrows a branch or latest. */
export const repositoryOfRun = repositoryOrProject.optional().describe('Where the branch or latest is.')

export const environmentShape = z
  .record(z.string().max(100), z.string().max(1000))
  .describe('Facts about machine and toolchain, such as cpu, os, arch, runtime.')

export const runShape = z.object({
  id: z.string(),
  project_id: z.string(),
  branch: z.string(),
  commit_hash: z.string(),
  commit_message: z.string(),
  pull_request: z.number().int().nullable(),
  base_branch: z.string().nullable().describe('What it was branched off, when the upload said it.'),
  base_commit_hash: z.string().nullable(),
  measurement_id: z
    .string()
    .nullable()
    .describe('The same for two runs whose processes ran in turns; null: measured by itself.'),
  event: z.string(),
  status: z.enum(['PENDING', 'COMPLETED', 'FAILURE']),
  adapter: z.string().nullable().describe('The format that the results were read as.'),
  tags,
  result_count: z.number().int(),
  warnings: z.array(z.string()),
  environment: environmentShape,
  committed_at: timestamp.nullable(),
  created_at: timestamp,
})

export const statsShape = z
  .object({
    statistic: z.enum(['median', 'mean', 'single']).describe('Which statistic the value is.'),
    min: z.number(),
    max: z.number(),
    mean: z.number(),
    median: z.number(),
    q1: z.number(),
    q3: z.number(),
    stdev: z.number(),
    low: z.number().describe('Lower bound that the tool itself states.'),
    high: z.number().describe('Upper bound that the tool itself states.'),
    rounds: z.number().int(),
    iterations_per_round: z.number(),
    warmup_iterations: z.number(),
    outlier_rounds: z.number().int(),
    total_time_ms: z.number(),
  })
  .partial()
  .describe('How the rounds spread, in the unit of the result; what the tool did not tell is left out.')

export const metricShape = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  better_when: z
    .enum(['lower', 'higher'])
    .nullable()
    .describe('null where neither the tool nor the unit tells.'),
  stdev: z.number().optional(),
  low: z.number().optional().describe('Lower bound that the tool itself states.'),
  high: z.number().optional(),
})

export const instrument = z
  .enum(['walltime', 'simulation', 'memory', 'custom'])
  .describe(
    'How it was measured: by the clock, by a simulated processor, by counting allocations, or otherwise.',
  )

export const resultShape = z.object({
  benchmark_id: z.string(),
  uri: z.string(),
  name: z.string(),
  instrument,
  metric: z.string().describe('What the value is, such as time, instructions or peak_memory.'),
  better_when: z.enum(['lower', 'higher']),
  value: z.number().describe('The value that comparisons use, in unit.'),
  unit: z.string(),
})

export const benchmarkShape = z.object({
  id: z.string(),
  project_id: z.string(),
  uri: z.string(),
  name: z.string(),
  instrument,
  metric: z.string(),
  better_when: z.enum(['lower', 'higher']),
  state: z.enum(['active', 'ignored', 'archived']),
  is_critical: z.boolean(),
  threshold_percent: z.number().nullable().describe('Its own; null: as everywhere in the project.'),
  noise_percent: z
    .number()
    .nullable()
    .describe('How far its runs on the default branch differ without a change; null with too few of them.'),
  former_uris: z.array(z.string()),
})

export const exampleBenchmark: z.output<typeof benchmarkShape> = {
  id: 'ben_01',
  project_id: 'prj_01',
  uri: 'bench/pricing.bench.js::pricing::price cart',
  name: 'price cart',
  instrument: 'walltime',
  metric: 'time',
  better_when: 'lower',
  state: 'active',
  is_critical: false,
  threshold_percent: null,
  noise_percent: 1.4,
  former_uris: [],
}

/** How callers name a benchmark within a project. */
export const benchmarkReference = z.string().min(1).max(1000)

/** The same uri may be measured in several ways, each of which is a benchmark of its own. */
export const sameUriShape = z
  .array(z.object({ benchmark_id: z.string(), instrument, metric: z.string() }))
  .describe('Other benchmarks of the same uri.')

export const renamedFrom = z
  .string()
  .nullable()
  .describe('The uri that was asked for, when the benchmark has another one now.')

/** A line that says so. */
export function renamedLine(from: string | null, uri: string): string[] {
  return from === null ? [] : [`${from} is called ${uri} now.`]
}

/** What an upload may say about the run it belongs to. */
export const newRunFields = {
  run_id: z.string().max(64).optional().describe('Add to this run of the commit.'),
  repository: repositoryOrProject,
  branch,
  commit_hash: z
    .string()
    .regex(/^[0-9a-fA-F]{7,64}$/, 'Give the commit as 7 to 64 hex digits.')
    .describe('Commit that was measured.'),
  commit_message: z.string().max(2000).default('').describe('First line.'),
  committed_at: timestamp.optional().describe('When it was committed.'),
  pull_request: z.int32().positive().optional().describe('Its number.'),
  event: z.string().max(60).default('push').describe('Such as push or schedule.'),
  base_branch: branch.optional().describe('Branch it goes into.'),
  base_commit_hash: z
    .string()
    .regex(/^[0-9a-fA-F]{7,64}$/, 'Give the commit as 7 to 64 hex digits.')
    .optional()
    .describe('Merge base: its run is the baseline.'),
  environment: environmentShape.default({}),
  tags: tags.default([]),
}

export const adapterName = z
  .enum([
    'magic',
    'asv',
    'bencher_json',
    'benchmark_dotnet',
    'benchmark_js',
    'callgrind',
    'catch2',
    'codspeed',
    'criterion',
    'dart',
    'github_action_benchmark',
    'github_action_benchmark_bigger',
    'github_action_benchmark_smaller',
    'go_bench',
    'google_benchmark',
    'gungraun',
    'hyperfine',
    'iai',
    'jmh',
    'js_time',
    'julia',
    'luau',
    'pytest_benchmark',
    'ruby_benchmark',
    'ruby_benchmark_ips',
    'rust_bench',
    'tinybench',
    'vitest_bench',
  ])
  .default('magic')
  .describe('Format; magic finds out.')

export const exampleRun: z.output<typeof runShape> = {
  id: 'run_01',
  project_id: 'prj_01',
  branch: 'main',
  commit_hash: 'abc1234',
  commit_message: 'Cache the rules',
  pull_request: null,
  base_branch: null,
  base_commit_hash: null,
  measurement_id: null,
  event: 'push',
  status: 'COMPLETED',
  adapter: 'vitest_bench',
  tags: [],
  result_count: 6,
  warnings: [],
  environment: { cpu: 'AMD EPYC', runtime: 'node 24.21.0' },
  committed_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
}
