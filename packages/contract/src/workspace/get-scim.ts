import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleScim, scimShape } from './scim-shapes.ts'

export const getScim = defineOperation({
  id: 'get_scim',
  title: 'Get provisioning',
  description:
    'Whether the identity provider of the workspace adds and removes members by SCIM, and where it calls.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['admin'],
  mcp: false,
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/scim' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: scimShape,
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [{ title: 'Set up', input: { workspace_id: 'ws_01' }, output: exampleScim }],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: ({ token, base_url }) =>
    token === null
      ? 'Nothing is provisioned.'
      : `Members are provisioned at ${base_url}, as ${token.default_role}.`,
})
