import { z } from 'zod'
import { benchResultId, waitSeconds } from '../fields.ts'
import { slaVerdictShape } from '../monitoring/sla-shapes.ts'
import { defineOperation } from '../operation.ts'
import {
  benchEventShape,
  benchNumbersShape,
  benchResultLink,
  benchResultShape,
  benchShardShape,
  benchThresholdShape,
  exampleBenchNumbers,
  exampleBenchResult,
} from './bench-run-shapes.ts'

const inMs = (value: number | null) => (value === null ? '–' : `${value} ms`)

export const getBenchResult = defineOperation({
  id: 'get_bench_result',
  title: 'Get a bench result',
  description: 'State, progress, agents and numbers of a load test, also while it runs.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/bench-results/{bench_result_id}' },
  input: z.strictObject({
    bench_result_id: benchResultId,
    wait_seconds: waitSeconds('Answer when its state changes, or after so long.'),
  }),
  output: z.object({
    bench_result: benchResultShape,
    numbers: benchNumbersShape.nullable().describe('null: nothing was measured yet.'),
    thresholds: z.array(benchThresholdShape).describe('As things are now, or were at the end.'),
    sla: z.array(slaVerdictShape).describe('Of SLA profiles that are attached to what it runs.'),
    shards: z.array(benchShardShape),
    events: z.array(benchEventShape).describe('Oldest first.'),
    next_poll_seconds: z.number().nullable().describe('null: it has ended.'),
  }),
  problems: ['bench_result_not_found'],
  examples: [
    {
      title: 'While it runs',
      input: { bench_result_id: 'bnr_01' },
      output: {
        bench_result: exampleBenchResult,
        numbers: exampleBenchNumbers,
        thresholds: [{ text: 'p95 duration of container "checkout" < 400 ms', state: 'passed', value: 44.1 }],
        sla: [],
        shards: [
          {
            slot: 0,
            agent_group: 'default',
            load_generator_id: 'gen_01',
            state: 'RUNNING',
            message: '',
            last_seen_at: '2026-11-22T10:00:40.000Z',
          },
        ],
        events: [{ at: '2026-11-22T10:00:04.000Z', kind: 'state', words: 'RUNNING' }],
        next_poll_seconds: 9,
      },
    },
  ],
  link: ({ bench_result }) => benchResultLink(bench_result),
  markdown: ({ bench_result: run, numbers, thresholds, sla, shards, events, next_poll_seconds }) => {
    return [
      `**${run.name}** (${run.id}): **${run.state}**${run.message === '' ? '' : `, ${run.message}`} ${Math.round(run.progress * 100)} % of ${run.duration_ms / 1000} s.`,
      ...(run.is_degraded ? ['Less load than was asked for.'] : []),
      ...(numbers === null
        ? []
        : [
            `${numbers.users} users, ${numbers.count} requests (${numbers.rate_per_second}/s), ${numbers.failed} failed. Mean ${inMs(numbers.mean_ms)}, p50 ${inMs(numbers.p50_ms)}, p95 ${inMs(numbers.p95_ms)}, p99 ${inMs(numbers.p99_ms)}, max ${inMs(numbers.max_ms)}.`,
          ]),
      thresholds.map(({ text, state, value }) => `- ${state}: ${text} (${value ?? 'no data'})`).join('\n'),
      sla.map(({ name, of, severity, words }) => `- ${severity}: ${name} (${of}): ${words}`).join('\n'),
      shards
        .map(({ slot, agent_group, state, message }) =>
          `- agent ${slot} (${agent_group}): ${state} ${message}`.trim(),
        )
        .join('\n'),
      events.map(({ at, words }) => `- ${at} ${words}`).join('\n'),
      next_poll_seconds === null ? '' : `Ask again in ${next_poll_seconds} s.`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  },
})
