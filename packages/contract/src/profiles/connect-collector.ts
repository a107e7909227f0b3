import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { collectorName, offeredCapture, offeredMcpServer } from './collector-shapes.ts'

export const connectCollector = defineOperation({
  id: 'connect_collector',
  title: 'Connect a collector',
  description:
    'What flamegate agent --collect says of itself when it begins, and at least once a minute from then on: which captures it may run, and which MCP servers it may measure.',
  toolset: 'profiles',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'PUT', path: '/v1/projects/{project_id}/collectors/{name}' },
  mcp: false,
  input: z.strictObject({
    project_id: projectId,
    name: collectorName,
    version: z.string().max(40).describe('Of the program.'),
    captures: z
      .array(offeredCapture)
      .max(100)
      .refine((captures) => new Set(captures.map(({ name }) => name)).size === captures.length, {
        message: 'Each name once.',
      })
      .describe('What it may run.'),
    mcp_servers: z
      .array(offeredMcpServer)
      .max(100)
      .refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, {
        message: 'Each name once.',
      })
      .default([])
      .describe('MCP servers that it may measure. Without, it is asked for captures only.'),
  }),
  output: z.object({ project_id: z.string(), collector_id: z.string() }),
  problems: ['project_not_found', 'insufficient_role', 'conflict'],
  examples: [
    {
      title: 'One that may profile a program in Go',
      input: {
        project_id: 'prj_01',
        name: 'staging',
        version: '0.1.0',
        captures: [{ name: 'shop', kind: 'pprof', types: ['cpu', 'heap'], seconds_max: 60 }],
      },
      output: { project_id: 'prj_01', collector_id: 'col_01' },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/uploads`,
  markdown: ({ collector_id }) => `Collector ${collector_id} is connected.`,
})
