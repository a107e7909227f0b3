import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { scopeSchema } from '../scope.ts'

export const listConnectedApps = defineOperation({
  id: 'list_connected_apps',
  title: 'List connected apps',
  description: 'The agents and apps you allowed to act for you: scopes, when, last use, number of calls.',
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
        scopes: z.array(scopeSchema),
        connected_at: timestamp,
        last_used_at: timestamp.nullable(),
        call_count: z.number().int(),
      }),
    ),
  }),
  problems: [],
  examples: [{ title: 'None yet', input: {}, output: { connected_apps: [] } }],
  link: () => '/connected-apps',
  markdown: ({ connected_apps }) =>
    table(
      ['App', 'Id', 'Scopes', 'Connected', 'Last used', { title: 'Calls', right: true }],
      connected_apps.map((app) => [
        app.client_name,
        app.id,
        app.scopes.join(', '),
        app.connected_at,
        app.last_used_at,
        app.call_count,
      ]),
      'You have connected no app.',
    ),
})
