import { z } from 'zod'
import { agentGroup } from '../bench-runs/bench-run-shapes.ts'
import { timestamp, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleMonitor, monitorAgentName } from './monitor-shapes.ts'

export const awaitMonitoring = defineOperation({
  id: 'await_monitoring',
  title: 'Wait for monitors to collect',
  description:
    'Gives monitors of a group that are to be checked, or collected in a run that goes on, to this agent, as soon as there are any.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['agent'],
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/monitor-leases' },
  mcp: false,
  input: z.strictObject({
    workspace_id: workspaceId,
    agent: monitorAgentName.describe('Of the agent, in its workspace.'),
    agent_group: agentGroup,
    version: z.string().max(40).describe('Of the program.'),
    // Shorter than a process has for its end, so that no agent holds one up.
    wait_seconds: z.number().int().min(0).max(10).default(10).describe('How long to wait for one.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    now: timestamp.describe('Of the clock that started_at is of.'),
    leases: z.array(
      z.object({
        monitor_id: z.string(),
        document: z.record(z.string(), z.unknown()),
        secret: z.string().nullable(),
        run: z
          .object({
            bench_result_id: z.string(),
            started_at: timestamp,
            lease: z.number().int().describe('Goes with every report.'),
            next_sequence: z.number().int().describe('Of the first batch.'),
          })
          .nullable()
          .describe('null: only a check.'),
      }),
    ),
  }),
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A run has begun',
      input: { workspace_id: 'ws_01', agent: 'db-1', agent_group: 'near-db', version: '0.1.0' },
      output: {
        workspace_id: 'ws_01',
        now: '2026-11-22T10:00:01.000Z',
        leases: [
          {
            monitor_id: 'mon_01',
            document: exampleMonitor.document,
            secret: 'correct horse',
            run: {
              bench_result_id: 'bnr_01',
              started_at: '2026-11-22T10:00:04.000Z',
              lease: 1,
              next_sequence: 0,
            },
          },
        ],
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/load-generators`,
  markdown: ({ leases }) =>
    leases.length === 0 ? 'Nothing to do.' : leases.map(({ monitor_id: id }) => `- ${id}`).join('\n'),
})
