import { z } from 'zod'
import { email, workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { roleSchema } from '../role.ts'

export const setWorkspaceMember = defineOperation({
  id: 'set_workspace_member',
  title: 'Set a member',
  description:
    'Give, change or (role none) take away access to a workspace. Somebody who is no member yet is invited for 14 days: by mail where a mail server is set, and by a link that is shown once. The last owner stays; only owners make owners.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  http: { method: 'PUT', path: '/v1/workspaces/{workspace_id}/members/{email}' },
  input: z.strictObject({
    workspace_id: workspaceId,
    email,
    role: z
      .enum([...roleSchema.options, 'none'])
      .describe('The role from now on; none takes the access away.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    email: z.string(),
    role: z.enum([...roleSchema.options, 'none']),
    status: z.enum(['active', 'invited', 'removed']),
    invitation_url: z
      .string()
      .nullable()
      .describe('For a newly invited person: the link that lets them join, shown once.'),
  }),
  problems: ['workspace_not_found', 'member_not_found', 'last_owner', 'insufficient_role'],
  examples: [
    {
      title: 'Invite a viewer',
      input: { workspace_id: 'ws_01', email: 'bob@example.com', role: 'viewer' },
      output: {
        workspace_id: 'ws_01',
        email: 'bob@example.com',
        role: 'viewer',
        status: 'invited',
        invitation_url: 'https://flamegate.example/join?token=abc',
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/members`,
  markdown: (member) =>
    `${member.email} is now ${member.status === 'removed' ? 'no longer a member' : `${member.status} as ${member.role}`}.${
      member.invitation_url === null ? '' : ` Invitation link (shown once): ${member.invitation_url}`
    }`,
})
