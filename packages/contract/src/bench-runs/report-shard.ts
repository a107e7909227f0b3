import { z } from 'zod'
import { benchShardId, loadGeneratorId, timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'

/** Kinds of errors of which samples are kept; those of `packages/series`. */
const errorClass = z.string().regex(/^[a-z0-9_]{1,30}$/)

const vital = z.number().min(0).max(3_600_000).nullable()

/** Of a page that was left again; web vitals in milliseconds, but for CLS. */
const pageLoad = z.strictObject({
  sequence: z.number().int().min(0).max(2_147_483_647),
  second: z.number().int().min(0).max(2_147_483_647),
  action: z.number().int().min(0).max(65_535),
  profile: z.number().int().min(0).max(1000),
  page: z.string().max(200),
  ttfb: vital,
  fcp: vital,
  lcp: vital,
  cls: vital,
  inp: vital,
})

export const reportShard = defineOperation({
  id: 'report_shard',
  title: 'Report on a shard',
  description:
    'How an agent gets on with a shard, every second: its state, what it measured, failing exchanges. Answers what to do next.',
  toolset: 'scenarios',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/bench-shards/{shard_id}/reports' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({
    shard_id: benchShardId,
    load_generator_id: loadGeneratorId
      .optional()
      .describe(
        'Who reports: where another agent has the shard by now, nothing is kept, and the answer is gone.',
      ),
    state: z.enum(['PREPARING', 'READY', 'RUNNING', 'DONE', 'FAILED']).describe('How far it is.'),
    message: z.string().max(2000).default('').describe('Why it failed, or what has to be known.'),
    batches: z
      .array(
        z.strictObject({
          sequence: z
            .number()
            .int()
            .min(0)
            .max(2_147_483_647)
            .describe('Rises by one; a batch that comes twice counts once.'),
          ticks: z.base64().max(4_000_000).describe('A batch of ticks, in their binary form.'),
        }),
      )
      .max(30)
      .default([])
      .describe('What was measured since.'),
    samples: z
      .array(
        z.strictObject({
          id: z.string().min(1).max(64),
          action: z.number().int().min(0).max(65_535),
          profile: z.number().int().min(0).max(1000),
          error_class: errorClass,
          message: z.string().max(2000),
          at: timestamp,
          exchange: z.record(z.string(), z.unknown()).nullable(),
        }),
      )
      .max(100)
      .default([])
      .describe('Some of what failed.'),
    page_loads: z
      .array(pageLoad)
      .max(500)
      .default([])
      .describe('What users with a browser measured; a sequence that comes twice counts once.'),
    log: z
      .strictObject({
        from: z.number().int().min(0).max(100_000).describe('How many lines there were before.'),
        lines: z.array(z.string().max(500)).max(200),
      })
      .optional()
      .describe('What it says of its work; lines that come twice are kept once.'),
  }),
  output: z.object({
    project_id: z.string(),
    bench_result_id: z.string(),
    order: z
      .enum(['wait', 'run', 'stop', 'gone'])
      .describe(
        'wait: not all agents are ready; run: begin at start_at, or go on; stop: drain; gone: nobody waits for it.',
      ),
    now: timestamp.describe('Of the clock that start_at is of.'),
    start_at: timestamp.nullable(),
    shares_version: z.number().int(),
    share_index: z.number().int().nullable(),
    share_count: z.number().int().nullable(),
    first_share_index: z
      .number()
      .int()
      .nullable()
      .describe('Of the share at the start: which values of files, counters and lists are its own.'),
    first_share_count: z.number().int().nullable(),
    groups_at_start: z
      .array(z.object({ agent_group: z.string(), agents: z.number().int() }))
      .describe('How many agents of each group began; told to who is READY, when it is to run.'),
    accepted: z.array(z.number().int()).describe('Sequences that are stored now.'),
  }),
  problems: ['bench_shard_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'It is ready',
      input: { shard_id: 'shd_01', load_generator_id: 'gen_01', state: 'READY' },
      output: {
        project_id: 'prj_01',
        bench_result_id: 'bnr_01',
        order: 'run',
        now: '2026-11-22T10:00:01.000Z',
        start_at: '2026-11-22T10:00:04.000Z',
        shares_version: 0,
        share_index: 0,
        share_count: 2,
        first_share_index: 0,
        first_share_count: 2,
        groups_at_start: [{ agent_group: 'eu-west', agents: 2 }],
        accepted: [],
      },
    },
  ],
  link: ({ project_id, bench_result_id }) => `/projects/${project_id}/bench-results/${bench_result_id}`,
  markdown: ({ order }) => `Next: ${order}.`,
})
