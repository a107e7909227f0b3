import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const testSso = defineOperation({
  id: 'test_sso',
  title: 'Test single sign-on',
  description: 'Ask the provider that is set for all that a log-in asks it for, but for a person.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'POST', path: '/v1/workspaces/{workspace_id}/sso/test' },
  input: z.strictObject({ workspace_id: workspaceId }),
  output: z.object({
    workspace_id: z.string(),
    is_ok: z.boolean(),
    checks: z
      .array(
        z.object({
          check: z.enum(['issuer', 'keys', 'client', 'clock']),
          is_ok: z.boolean(),
          detail: z.string(),
        }),
      )
      .describe('In order; what comes after the first fault could not be asked.'),
  }),
  problems: ['workspace_not_found', 'insufficient_role', 'sso_not_found'],
  examples: [
    {
      title: 'A wrong secret',
      input: { workspace_id: 'ws_01' },
      output: {
        workspace_id: 'ws_01',
        is_ok: false,
        checks: [
          { check: 'issuer', is_ok: true, detail: 'The issuer’s configuration was found.' },
          { check: 'keys', is_ok: true, detail: 'Its keys were read: 2 of them.' },
          {
            check: 'client',
            is_ok: false,
            detail: 'The provider does not accept the client id or the client secret.',
          },
        ],
      },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: ({ checks }) =>
    checks.map(({ check, is_ok, detail }) => `- ${check}: ${is_ok ? 'ok' : 'WRONG'}. ${detail}`).join('\n'),
})
