import { listSetting } from '@flamegate/runtime'
import { z } from 'zod'
import type { ClientPolicy } from './client-admission.ts'

const domains = listSetting
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine((names) => names.every((name) => /^[a-z0-9.-]+$/.test(name)), 'Write domains, such as claude.ai.')

/** What the authorization server can be told. */
export const oauthSettings = {
  FLAMEGATE_ACCESS_TOKEN_SECONDS: z.coerce
    .number()
    .int()
    .min(20)
    .max(600)
    .default(600)
    .describe('How long an access token lasts before its client has to refresh it.'),
  FLAMEGATE_CLIENT_DOCUMENTS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether a client may be the address of its metadata document; when off, clients register.'),
  FLAMEGATE_CLIENT_DOMAINS_ALLOWED: domains
    .describe('Domains, with what is under them, of clients that are such an address; any when left out.')
    .meta({ kind: 'a list, comma-separated' }),
  FLAMEGATE_CLIENT_DOMAINS_BLOCKED: domains
    .describe('Domains, with what is under them, whose clients are refused, whatever is allowed.')
    .meta({ kind: 'a list, comma-separated' }),
}

/** Which clients may come, by the settings. */
export function clientPolicy(config: {
  FLAMEGATE_CLIENT_DOCUMENTS: 'on' | 'off'
  FLAMEGATE_CLIENT_DOMAINS_ALLOWED: string[]
  FLAMEGATE_CLIENT_DOMAINS_BLOCKED: string[]
}): ClientPolicy {
  return {
    hasDocuments: config.FLAMEGATE_CLIENT_DOCUMENTS === 'on',
    allowedDomains: config.FLAMEGATE_CLIENT_DOMAINS_ALLOWED,
    blockedDomains: config.FLAMEGATE_CLIENT_DOMAINS_BLOCKED,
  }
}
