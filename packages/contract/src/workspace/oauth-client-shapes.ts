import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const oauthClientId = z
  .string()
  .min(1)
  .max(300)
  .describe('Id of the OAuth client; list_oauth_clients shows them.')

export const oauthClientShape = z.object({
  client_id: z.string(),
  name: z.string(),
  kind: z
    .enum(['registered', 'document', 'machine'])
    .describe('It registered, its id is the address of its metadata, or it is an API token.'),
  redirect_hosts: z.array(z.string()).describe('Where its answers go: hosts, or apps’ own schemes.'),
  first_seen_at: timestamp,
  first_used_at: timestamp.nullable().describe('When it first got a token.'),
  last_used_at: timestamp.nullable().describe('When it last got a token, to the hour.'),
  grant_count: z.number().int().describe('How many grants of people it has now.'),
  blocked_at: timestamp.nullable(),
  block_reason: z.string().nullable(),
})

export const exampleOauthClient: z.output<typeof oauthClientShape> = {
  client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
  name: 'Claude Code',
  kind: 'document',
  redirect_hosts: ['localhost', '127.0.0.1'],
  first_seen_at: '2026-11-20T10:00:00.000Z',
  first_used_at: '2026-11-20T10:00:00.000Z',
  last_used_at: '2026-11-21T09:00:00.000Z',
  grant_count: 12,
  blocked_at: null,
  block_reason: null,
}
