import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { designPage, exampleHttpServer, httpServerShape, userNames } from './design-shapes.ts'

export const listHttpServers = defineOperation({
  id: 'list_http_servers',
  title: 'List HTTP servers',
  description: 'Servers that virtual users send to, whether verified, and users of each.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/http-servers' },
  input: z.strictObject({ project_id: projectId, ...pageInput }),
  output: z.object({ project_id: z.string(), http_servers: z.array(httpServerShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'One',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', http_servers: [exampleHttpServer], next_cursor: null },
    },
  ],
  link: ({ project_id }) => designPage(project_id, 'http_server'),
  markdown: ({ http_servers, next_cursor }) =>
    table(
      ['Name', 'Base URL', 'Verified', 'Timeout', 'Authentication', 'Used by', 'Id'],
      http_servers.map((server) => [
        server.name,
        server.base_url,
        server.is_verified === null ? 'unknown' : server.is_verified ? 'yes' : 'no: verify_target',
        `${server.timeout_ms} ms`,
        server.authentication,
        userNames(server.used_by),
        server.id,
      ]),
      'No HTTP servers yet.',
    ) + moreLine(next_cursor),
})
