import { z } from 'zod'
import { runReference } from '../benchmarks/shapes.ts'
import { defineOperation } from '../operation.ts'
import { sampleSelection } from './selection.ts'
import { callTreeEntryShape, exampleShare, functionShareShape } from './shapes.ts'
import { profileViewLink } from './view-link.ts'

export const queryFlamegraph = defineOperation({
  id: 'query_flamegraph',
  title: 'Query a flame graph',
  description:
    'Summarize the flame graph of a run’s benchmark, or of any profile: where the time goes, by function and in the call tree. Go deeper with root_function_name.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/flamegraphs/query' },
  reportField: 'report',
  input: z.strictObject({
    profile_id: z.string().max(64).optional().describe('The profile; or give run_id and benchmark.'),
    run_id: runReference.optional().describe('The run, a branch, or latest.'),
    benchmark: z
      .string()
      .max(1000)
      .optional()
      .describe('Uri or id of its benchmark. Not needed when the run has one profile.'),
    root_function_name: z.string().max(1000).optional().describe('Look only below this function.'),
    depth: z.number().int().min(1).max(100).default(10).describe('Levels of the call tree.'),
    min_percent: z
      .number()
      .min(0)
      .max(100)
      .default(1)
      .describe('Leave out smaller shares. Of the root’s total.'),
    max_entries: z.number().int().min(1).max(200).default(25).describe('Entries of the call tree.'),
    ...sampleSelection,
  }),
  output: z.object({
    profile_id: z.string(),
    run_id: z.string().nullable(),
    benchmark_name: z.string().nullable(),
    sample_type: z.string(),
    unit: z.string(),
    total_value: z.number().describe('Of the root.'),
    root_function_name: z.string().nullable(),
    hot_spots: z.array(functionShareShape).describe('Top 10 by self value.'),
    expensive_calls: z.array(functionShareShape).describe('Top 10 by total value.'),
    call_tree: z.array(callTreeEntryShape),
    truncated: z.boolean(),
    report: z.string().describe('The whole answer as markdown.'),
  }),
  problems: [
    'profile_not_found',
    'run_not_found',
    'benchmark_not_found',
    'no_profile',
    'function_not_found',
    'not_ready',
    'processing_failed',
  ],
  examples: [
    {
      title: 'Where a benchmark spends its time',
      input: { run_id: 'run_01', benchmark: 'bench/pricing.bench.js::pricing::price cart' },
      output: {
        profile_id: 'prf_01',
        run_id: 'run_01',
        benchmark_name: 'price cart',
        sample_type: 'cpu',
        unit: 'nanoseconds',
        total_value: 2_100_000_000,
        root_function_name: null,
        hot_spots: [exampleShare],
        expensive_calls: [exampleShare],
        call_tree: [{ ...exampleShare, depth: 0 }],
        truncated: true,
        report: '# Flame Graph Summary\n…',
      },
    },
  ],
  link: ({ profile_id, root_function_name }, selection) =>
    profileViewLink(profile_id, { root: root_function_name ?? undefined, selection }),
  markdown: ({ report }) => report,
})
