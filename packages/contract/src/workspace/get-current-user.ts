import { z } from 'zod'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { scopeSchema } from '../scope.ts'
import { workspaceShape } from './shapes.ts'

export const getCurrentUser = defineOperation({
  id: 'get_current_user',
  title: 'Who am I',
  description:
    'Tell in whose name you act: e-mail, scopes granted, role in each workspace, and through which client. Call it first when something is refused.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read', 'upload'],
  role: 'viewer',
  http: { method: 'GET', path: '/v1/me' },
  input: z.strictObject({}),
  output: z.object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    credential: z.enum(['session', 'oauth', 'api_token', 'share_link']),
    client_id: z.string(),
    client_name: z.string(),
    scopes: z.array(scopeSchema),
    read_only: z.boolean().describe('Whether this credential can change nothing.'),
    installation_admin: z.boolean().describe('Whether you administer this installation, by this credential.'),
    server_name: z.string(),
    workspaces: z.array(workspaceShape),
  }),
  problems: [],
  examples: [
    {
      title: 'An agent connected by OAuth',
      input: {},
      output: {
        user: { id: 'usr_01', email: 'ada@example.com', name: 'Ada' },
        credential: 'oauth',
        client_id: 'client-1',
        client_name: 'Claude',
        scopes: ['read'],
        read_only: true,
        installation_admin: false,
        server_name: 'Flamegate',
        workspaces: [
          { id: 'ws_01', slug: 'acme', name: 'Acme', plan: 'free', role: 'member', deletes_at: null },
        ],
      },
    },
  ],
  link: () => '/',
  markdown: (me) =>
    [
      facts({
        You: `${me.user.name} <${me.user.email}>`,
        Client: me.client_name,
        Scopes: me.scopes.join(', '),
        'Read only': me.read_only ? 'yes' : 'no',
      }),
      table(
        ['Workspace', 'Id', 'Role', 'Plan'],
        me.workspaces.map((workspace) => [workspace.name, workspace.id, workspace.role, workspace.plan]),
        'You are in no workspace.',
      ),
    ].join('\n\n'),
})
