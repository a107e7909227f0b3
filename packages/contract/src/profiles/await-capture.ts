import { z } from 'zod'
import { collectorId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpMeasurement } from '../mcp-servers/mcp-measurement.ts'
import { captureTypes } from './capture-kinds.ts'

export const awaitCapture = defineOperation({
  id: 'await_capture',
  title: 'Wait for a capture',
  description:
    'The next capture that a collector is to take, or session of an MCP server, as soon as there is one, or null after wait_seconds. It stays the next until report_capture or report_mcp_session says that it was started.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read', 'upload'],
  role: 'member',
  http: { method: 'GET', path: '/v1/collectors/{collector_id}/next-capture' },
  mcp: false,
  input: z.strictObject({
    collector_id: collectorId,
    // Shorter than a process has for its end, so that no collector holds one up.
    wait_seconds: z.number().int().min(0).max(10).default(10).describe('How long to wait for one.'),
  }),
  output: z.object({
    project_id: z.string(),
    capture: z
      .object({
        task_id: z.string(),
        name: z.string().describe('Which of those that the collector may run.'),
        type: z.enum(captureTypes),
        seconds: z.number().int().nullable().describe('null: as the collector has it.'),
      })
      .nullable(),
    mcp_session: z
      .object({
        mcp_session_id: z.string(),
        task_id: z.string(),
        server: z.string().describe('Which of the MCP servers that the collector may measure.'),
        measurement: mcpMeasurement.describe(
          'What to measure. The collector refuses what its own file does not allow.',
        ),
      })
      .nullable()
      .describe('null while there is a capture to take.'),
  }),
  problems: ['collector_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A heap profile is asked for',
      input: { collector_id: 'col_01' },
      output: {
        project_id: 'prj_01',
        capture: {
          task_id: 'tsk_01',
          name: 'shop',
          type: 'heap',
          seconds: null,
        },
        mcp_session: null,
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/uploads`,
  markdown: ({ capture, mcp_session: session }) =>
    capture !== null
      ? `Take ${capture.name} (${capture.type}) for task ${capture.task_id}.`
      : session !== null
        ? `Measure ${session.server} (${session.measurement.command}) for session ${session.mcp_session_id}.`
        : 'Nothing is asked for.',
})
