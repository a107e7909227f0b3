import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { designPage, httpServerId } from './design-shapes.ts'

export const deleteHttpServer = defineOperation({
  id: 'delete_http_server',
  title: 'Delete an HTTP server',
  description: 'Remove an HTTP server that no virtual user sends to. It can be restored.',
  toolset: 'virtual_users',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/http-servers/{http_server_id}' },
  mcp: false,
  input: z.strictObject({ http_server_id: httpServerId }),
  output: z.object({ http_server_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['http_server_not_found', 'in_use', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { http_server_id: 'srv_01' },
      output: { http_server_id: 'srv_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => designPage(project_id, 'http_server'),
  markdown: ({ http_server_id }) => `HTTP server ${http_server_id} is deleted.`,
})
