import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const exportWorkspace = defineOperation({
  id: 'export_workspace',
  title: 'Export a workspace',
  description:
    'Write everything of a workspace, rows and files, into one tar.gz. Answers with a task; when it is done, download_file gives the archive to its owners, for 7 days. An operator imports it, here or elsewhere.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/exports', status: 202 },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({
    workspace_id: z.string(),
    task_id: z.string().describe('Ask get_task_result for it; its result names the file.'),
    next_poll_seconds: z.number(),
  }),
  problems: ['workspace_not_found', 'insufficient_role', 'unavailable'],
  examples: [
    {
      title: 'Everything',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', task_id: 'tsk_01', next_poll_seconds: 2 },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/settings`,
  markdown: ({ task_id }) => `The archive is being written: task ${task_id}.`,
})
