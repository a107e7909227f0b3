import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleSso, ssoRoleSchema, ssoShape, tellSso } from './sso-shapes.ts'

export const setSso = defineOperation({
  id: 'set_sso',
  title: 'Set single sign-on',
  description:
    'Let members log in with an OpenID provider. It can be required once somebody came in by it; for owners.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'PUT', path: '/v1/workspaces/{workspace_id}/sso' },
  input: z.strictObject({
    workspace_id: workspaceId,
    issuer: z
      .url({ protocol: /^https?$/, hostname: /.*/ })
      .max(500)
      .refine((url) => !/[?#@]/.test(url), 'Leave out user names, what follows a ?, and what follows a #.')
      .describe('Address of the provider, as it writes it itself (`iss`).'),
    client_id: z.string().trim().min(1).max(500).describe('Client id at the provider.'),
    client_secret: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe('Its secret. Left out: the one that is set, of the same issuer and client.'),
    default_role: ssoRoleSchema.default('member').describe('Role of whoever comes for the first time.'),
    is_required: z
      .boolean()
      .default(false)
      .describe('Members with an address of a proved domain log in with it and in no other way.'),
    owners_keep_other_ways: z
      .boolean()
      .default(true)
      .describe('But owners log in as before, for the day on which the provider is away.'),
  }),
  output: ssoShape,
  problems: ['workspace_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'Set up',
      input: {
        workspace_id: 'ws_01',
        issuer: 'https://login.example.com',
        client_id: 'flamegate',
        client_secret: 's3cr3t',
      },
      output: exampleSso,
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: tellSso,
})
