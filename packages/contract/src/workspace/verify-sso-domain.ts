import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleSsoDomain, ssoDomainName, ssoDomainShape } from './sso-shapes.ts'

export const verifySsoDomain = defineOperation({
  id: 'verify_sso_domain',
  title: 'Prove a domain',
  description:
    'Prove that e-mail addresses of a domain are the workspace’s. Answers a token for its DNS; called again, looks for it. For owners.',
  toolset: 'workspace',
  effect: 'write',
  scopes: ['admin'],
  role: 'owner',
  mcp: false,
  http: { method: 'PUT', path: '/v1/workspaces/{workspace_id}/sso/domains/{domain}' },
  input: z.strictObject({ workspace_id: workspaceId, domain: ssoDomainName }),
  output: z.object({ workspace_id: z.string(), domain: ssoDomainShape }),
  problems: ['workspace_not_found', 'insufficient_role', 'invalid_input', 'conflict'],
  examples: [
    {
      title: 'A proved one',
      input: { workspace_id: 'ws_01', domain: 'example.com' },
      output: { workspace_id: 'ws_01', domain: exampleSsoDomain },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/sso`,
  markdown: ({ domain: { domain, is_verified, dns_name, token, failure } }) =>
    is_verified
      ? `${domain} is proved.`
      : `${domain} is not proved yet.${failure === null ? '' : ` ${failure}`} Set the TXT record ${dns_name} to \`${token}\`, then call this again.`,
})
