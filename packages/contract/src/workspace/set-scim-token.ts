import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleScim, scimShape } from './scim-shapes.ts'
import { ssoRoleSchema } from './sso-shapes.ts'

export const setScimToken = defineOperation({
  id: 'set_scim_token',
  title: 'Make a SCIM token',
  description:
    'Let the identity provider of the workspace add and remove members with an address of a proved domain. The secret is shown once, in this answer, and takes the place of the one before; for owners.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'PUT', path: '/v1/workspaces/{workspace_id}/scim' },
  input: z.strictObject({
    workspace_id: workspaceId,
    default_role: ssoRoleSchema.default('member').describe('Role of whoever is made a member.'),
  }),
  output: scimShape.extend({ secret: z.string().describe('Shown this once.') }),
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'A new token',
      input: { workspace_id: 'ws_01', default_role: 'viewer' },
      output: { ...exampleScim, secret: 'fg_…' },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: ({ base_url, secret }) =>
    `Members are provisioned at ${base_url}. The secret token, shown this once: \`${secret}\``,
})
