import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { designPage, exampleHttpServer, httpServerId, httpServerShape, ifVersion } from './design-shapes.ts'

export const updateHttpServer = defineOperation({
  id: 'update_http_server',
  title: 'Update an HTTP server',
  description: 'Change an HTTP server, for all that send to it.',
  toolset: 'virtual_users',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/http-servers/{http_server_id}' },
  input: z.strictObject({
    http_server_id: httpServerId,
    name: z.string().optional().describe('New name.'),
    base_url: z.string().optional().describe('Goes before paths.'),
    verify_tls: z.boolean().optional().describe('false: any certificate is good.'),
    connect_timeout_ms: z.int32().optional().describe('To connect.'),
    timeout_ms: z.int32().optional().describe('Per request.'),
    if_version: ifVersion,
  }),
  output: z.object({ project_id: z.string(), http_server: httpServerShape }),
  problems: ['http_server_not_found', 'invalid_input', 'conflict', 'version_mismatch', 'insufficient_role'],
  examples: [
    {
      title: 'Another host',
      input: { http_server_id: 'srv_01', base_url: 'https://shop.example.com' },
      output: { project_id: 'prj_01', http_server: { ...exampleHttpServer, version: 2 } },
    },
  ],
  version: ({ http_server }) => http_server.version,
  link: ({ project_id }) => designPage(project_id, 'http_server'),
  markdown: ({ http_server }) =>
    `HTTP server ${http_server.name} (${http_server.id}) is ${http_server.base_url} in version ${http_server.version}.`,
})
