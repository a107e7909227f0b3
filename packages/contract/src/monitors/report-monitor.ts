import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { monitorAgentName, monitorCounterShape, monitorId, monitorsLink } from './monitor-shapes.ts'

const counterName = z.string().min(1).max(500)
const unit = z.string().max(40)

export const reportMonitor = defineOperation({
  id: 'report_monitor',
  title: 'Report on a monitor',
  description:
    'What an agent found when it checked a monitor, or collects of it in a run. Answers whether to go on.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/monitors/{monitor_id}/reports' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({
    monitor_id: monitorId,
    agent: monitorAgentName.describe('Of the agent, in its workspace.'),
    is_reachable: z.boolean().describe('Whether it answered, the last time that it was asked.'),
    message: z.string().max(2000).default('').describe('Why not, or what has to be known.'),
    check: z
      .strictObject({
        counters: z.array(monitorCounterShape.strict()).max(200).describe('The first of them.'),
        counter_count: z.int32().min(0).describe('Of all.'),
      })
      .optional()
      .describe('What was found by a check.'),
    run: z
      .strictObject({
        bench_result_id: z.string().min(1).max(64).describe('Id of the run.'),
        lease: z.int32().min(1).describe('As it was given.'),
        batches: z
          .array(
            z
              .strictObject({
                sequence: z
                  .int()
                  .min(0)
                  .max(2_147_483_647)
                  .describe('Rises; a batch that comes twice counts once.'),
                seconds: z
                  .array(z.int().min(0).max(31_536_000))
                  .min(1)
                  .max(120)
                  .describe('Since the run began, rising.'),
                counters: z
                  .array(
                    z.strictObject({
                      name: counterName,
                      unit,
                      values: z.array(z.number().nullable()).max(120),
                    }),
                  )
                  .max(200)
                  .describe('With a value for each second.'),
              })
              .refine(
                ({ seconds }) =>
                  seconds.every((second, index) => index === 0 || second > (seconds[index - 1] ?? 0)),
                { path: ['seconds'], message: 'They have to rise.' },
              )
              .refine(
                ({ seconds, counters }) => counters.every(({ values }) => values.length === seconds.length),
                {
                  path: ['counters'],
                  message: 'Every counter has one value for each second.',
                },
              ),
          )
          .max(20)
          .default([])
          .describe('What was collected since.'),
      })
      .optional()
      .describe('What is collected in a run.'),
  }),
  output: z.object({
    project_id: z.string(),
    order: z.enum(['go_on', 'gone']).describe('gone: nobody waits for it any more.'),
    now: timestamp.describe('Of the clock that started_at is of.'),
  }),
  problems: ['monitor_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'A second of a run',
      input: {
        monitor_id: 'mon_01',
        agent: 'db-1',
        is_reachable: true,
        run: {
          bench_result_id: 'bnr_01',
          lease: 1,
          batches: [
            { sequence: 0, seconds: [5], counters: [{ name: 'connections.active', unit: '', values: [12] }] },
          ],
        },
      },
      output: { project_id: 'prj_01', order: 'go_on', now: '2026-11-22T10:00:10.000Z' },
    },
  ],
  link: ({ project_id }) => monitorsLink(project_id),
  markdown: ({ order }) => `Next: ${order}.`,
})
