import { z } from 'zod'
import { liveAppId, mcpTargetId, projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import {
  alertTarget,
  alertThresholdsAnswer,
  alertThresholdsLink,
  alertThresholdsMarkdown,
  exampleJudged,
  exampleThresholds,
} from '../live/alert-shapes.ts'

export const getAlertThresholds = defineOperation({
  id: 'get_alert_thresholds',
  title: 'Get alert thresholds',
  description:
    'What raises an alert while a program runs, and how apps that push, and MCP targets, stand to it.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/alert-thresholds' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    target: alertTarget,
    live_app_id: liveAppId.optional().describe('Of this app (app_…); else of all of the project.'),
    mcp_target_id: mcpTargetId.optional().describe('Of this MCP target (mct_…).'),
  }),
  output: z.object(alertThresholdsAnswer),
  problems: ['project_not_found', 'live_app_not_found', 'mcp_target_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Those of a project',
      input: { project_id: 'prj_01' },
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
