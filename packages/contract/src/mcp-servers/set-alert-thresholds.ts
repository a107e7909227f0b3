import { z } from 'zod'
import { liveAppId, mcpTargetId, projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  alertTarget,
  alertThresholdFields,
  alertThresholdsAnswer,
  alertThresholdsLink,
  alertThresholdsMarkdown,
  exampleJudged,
  exampleThresholds,
} from '../live/alert-shapes.ts'

const { high_cpu, high_memory, slow_response, high_error_rate } = alertThresholdFields

export const setAlertThresholds = defineOperation({
  id: 'set_alert_thresholds',
  title: 'Set alert thresholds',
  description:
    'What raises an alert while a program runs, or in sessions of MCP servers. null: off; left out: stays. With none it tells them, and what cannot be judged.',
  toolset: 'mcp_servers',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/alert-thresholds' },
  input: z.strictObject({
    project_id: projectId,
    target: alertTarget,
    live_app_id: liveAppId.optional().describe('Only this app (app_…); else all.'),
    mcp_target_id: mcpTargetId.optional().describe('Only this MCP target (mct_…).'),
    high_cpu: high_cpu.optional().describe('Processor.'),
    high_memory: high_memory.optional().describe('Memory.'),
    slow_response: slow_response.optional().describe('Slow calls.'),
    high_error_rate: high_error_rate.optional().describe('Calls that fail.'),
    reset: z.boolean().default(false).describe('First forget what was set here.'),
  }),
  output: z.object(alertThresholdsAnswer),
  problems: [
    'project_not_found',
    'live_app_not_found',
    'mcp_target_not_found',
    'insufficient_role',
    'invalid_input',
  ],
  examples: [
    {
      title: 'Slow calls of any live app, and a busy processor',
      input: {
        project_id: 'prj_01',
        high_cpu: { percent: 80 },
        slow_response: { ms: 500 },
      },
      output: {
        project_id: 'prj_01',
        target: 'live_app',
        live_app_id: null,
        mcp_target_id: null,
        thresholds: exampleThresholds,
        judged: exampleJudged,
        mcp_targets: [],
      },
    },
  ],
  link: ({ project_id }) => alertThresholdsLink(project_id),
  markdown: alertThresholdsMarkdown,
})
