import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { scopeSchema } from '../scope.ts'
import { toolsetNames } from '../toolset.ts'

export const listConnectedApps = defineOperation({
  id: 'list_connected_apps',
  title: 'List connected apps',
  description:
    'The agents and apps you allowed to act for you: scopes, what you limited them to, when, last use, number of calls.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/me/connected-apps' },
  input: z.strictObject({}),
  output: z.object({
    connected_apps: z.array(
      z.object({
        id: z.string(),
        client_id: z.string(),
        client_name: z.string(),
        verified_domain: z
          .string()
          .nullable()
          .describe('The domain that vouches for the name; null when the app chose it itself.'),
        scopes: z.array(scopeSchema),
        workspace_ids: z
          .array(z.string())
          .nullable()
          .describe('The workspaces you left it; null is all of yours, also future ones.'),
        toolsets: z.array(z.enum(toolsetNames)).nullable().describe('The toolsets you left it; null is all.'),
        read_only: z.boolean().describe('It may only read, whatever its scopes say.'),
        connected_at: timestamp,
        last_used_at: timestamp.nullable(),
        call_count: z.number().int(),
      }),
    ),
  }),
  problems: [],
  examples: [
    {
      title: 'One that may only read one workspace',
      input: {},
      output: {
        connected_apps: [
          {
            id: 'Yq3sX0vT1kq0Jr2mZ8aLw',
            client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
            client_name: 'Claude',
            verified_domain: 'claude.ai',
            scopes: ['read'],
            workspace_ids: ['ws_01'],
            toolsets: null,
            read_only: true,
            connected_at: '2026-11-20T09:00:00.000Z',
            last_used_at: '2026-11-20T11:30:00.000Z',
            call_count: 12,
          },
        ],
      },
    },
  ],
  link: () => '/connected-apps',
  markdown: ({ connected_apps }) =>
    table(
      [
        'App',
        'Domain',
        'Id',
        'Scopes',
        'Workspaces',
        'Toolsets',
        'Connected',
        'Last used',
        { title: 'Calls', right: true },
      ],
      connected_apps.map((app) => [
        app.client_name,
        app.verified_domain ?? 'unverified',
        app.id,
        app.read_only ? `${app.scopes.join(', ')} (only reading)` : app.scopes.join(', '),
        app.workspace_ids?.join(', ') ?? 'all',
        app.toolsets?.join(', ') ?? 'all',
        app.connected_at,
        app.last_used_at,
        app.call_count,
      ]),
      'You have connected no app.',
    ),
})
