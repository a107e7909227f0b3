import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { targetId } from './target-shapes.ts'

export const deleteTarget = defineOperation({
  id: 'delete_target',
  title: 'Delete a target',
  description:
    'Take back that a project may aim virtual users at a host. To have it again is to prove it anew.',
  toolset: 'virtual_users',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/targets/{target_id}' },
  mcp: false,
  input: z.strictObject({ target_id: targetId }),
  output: z.object({ target_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['target_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { target_id: 'tgt_01' },
      output: { target_id: 'tgt_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/targets`,
  markdown: ({ target_id }) => `Target ${target_id} is deleted.`,
})
