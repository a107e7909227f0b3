import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { designPage, exampleHttpServer, httpServerShape } from './design-shapes.ts'

export const createHttpServer = defineOperation({
  id: 'create_http_server',
  title: 'Create an HTTP server',
  description: 'Add a server that virtual users can send to; patch_design_object changes the rest of it.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/http-servers', status: 201 },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    name: z.string().min(1).max(80).describe('Unique in the project.'),
    base_url: z.string().max(2000).describe('http:// or https://, a host, and perhaps a path.'),
  }),
  output: z.object({ project_id: z.string(), http_server: httpServerShape }),
  problems: ['project_not_found', 'invalid_input', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'A shop',
      input: { project_id: 'prj_01', name: 'shop', base_url: 'https://shop.example.com' },
      output: { project_id: 'prj_01', http_server: exampleHttpServer },
    },
  ],
  version: ({ http_server }) => http_server.version,
  link: ({ project_id }) => designPage(project_id, 'http_server'),
  markdown: ({ http_server }) => `HTTP server ${http_server.name} (${http_server.id}) is there.`,
})
