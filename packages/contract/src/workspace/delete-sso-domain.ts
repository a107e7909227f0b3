import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { ssoDomainName } from './sso-shapes.ts'

export const deleteSsoDomain = defineOperation({
  id: 'delete_sso_domain',
  title: 'Give up a domain',
  description: 'Addresses of a domain do not log in with the provider any more. For owners.',
  toolset: 'workspace',
  effect: 'destroy',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'DELETE', path: '/v1/workspaces/{workspace_id}/sso/domains/{domain}' },
  input: z.strictObject({ workspace_id: workspaceId, domain: ssoDomainName }),
  output: z.object({ workspace_id: z.string(), domain: z.string(), deleted: z.literal(true) }),
  problems: ['workspace_not_found', 'insufficient_role', 'sso_domain_not_found'],
  examples: [
    {
      title: 'Give one up',
      input: { workspace_id: 'ws_01', domain: 'example.com' },
      output: { workspace_id: 'ws_01', domain: 'example.com', deleted: true },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: ({ domain }) => `${domain} is the workspace’s no more.`,
})
