import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { memberShape } from './shapes.ts'

export const listWorkspaceMembers = defineOperation({
  id: 'list_workspace_members',
  title: 'List members',
  description: 'Who belongs to a workspace, with role, and who is invited but has not joined yet.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/members' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({ workspace_id: z.string(), members: z.array(memberShape) }),
  problems: ['workspace_not_found'],
  examples: [
    {
      title: 'A member and an invited person',
      input: { workspace_id: 'ws_01' },
      output: {
        workspace_id: 'ws_01',
        members: [
          {
            email: 'ada@example.com',
            name: 'Ada',
            role: 'owner',
            status: 'active',
            since: '2026-11-20T10:00:00.000Z',
          },
          {
            email: 'bob@example.com',
            name: null,
            role: 'viewer',
            status: 'invited',
            since: '2026-11-20T10:00:00.000Z',
          },
        ],
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/members`,
  markdown: ({ members }) =>
    table(
      ['E-mail', 'Name', 'Role', 'Status', 'Since'],
      members.map((member) => [member.email, member.name, member.role, member.status, member.since]),
      'Nobody.',
    ),
})
