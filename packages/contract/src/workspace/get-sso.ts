import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleSso, ssoShape, tellSso } from './sso-shapes.ts'

export const getSso = defineOperation({
  id: 'get_sso',
  title: 'Get single sign-on',
  description: 'How members log in with an OpenID provider of the workspace, and which domains it proved.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['admin'],
  mcp: false,
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/sso' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: ssoShape,
  problems: ['workspace_not_found', 'insufficient_role'],
  examples: [{ title: 'Set up', input: { workspace_id: 'ws_01' }, output: exampleSso }],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: tellSso,
})
