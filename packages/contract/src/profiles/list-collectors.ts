import { z } from 'zod'
import { projectId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { collectorShape, exampleCollector } from './collector-shapes.ts'

export const listCollectors = defineOperation({
  id: 'list_collectors',
  title: 'List collectors',
  description:
    'The collectors of a project that were there within the last week: name, version, when they were last seen, and what they may run.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/collectors' },
  mcp: false,
  input: z.strictObject({ project_id: projectId }),
  output: z.object({ project_id: z.string(), collectors: z.array(collectorShape) }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One that is connected',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', collectors: [exampleCollector] },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/uploads`,
  markdown: ({ collectors }) =>
    table(
      ['Collector', 'Version', 'Connected', 'Last seen', 'May run', 'May measure'],
      collectors.map((each) => [
        each.name,
        each.version,
        each.is_connected ? 'yes' : 'no',
        each.last_seen_at,
        each.captures.map(({ name, kind }) => `${name} (${kind})`).join(', '),
        each.mcp_servers.map(({ name }) => name).join(', '),
      ]),
      'No collector was here within the last week.',
    ),
})
