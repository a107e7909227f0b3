import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { roles } from '../role.ts'
import { readTargetHost } from '../target-host.ts'

/** Roles that people may come with by themselves. */
export const ssoRoleSchema = z.enum(roles).exclude(['owner'])

export const ssoDomainName = z
  .string()
  .min(1)
  .max(253)
  .toLowerCase()
  .refine(
    (text) => readTargetHost(text) === text && /\.\D/.test(text),
    'Write the part after the @: example.com.',
  )
  .describe('Domain of e-mail addresses, such as example.com.')

export const ssoDomainShape = z.object({
  domain: z.string(),
  is_verified: z.boolean(),
  method: z
    .enum(['dns', 'settings'])
    .nullable()
    .describe('How it was proved; settings: whoever runs the installation says so.'),
  dns_name: z.string().describe('Name of the TXT record.'),
  token: z.string().describe('What the TXT record has to be.'),
  verified_at: timestamp.nullable(),
  checked_at: timestamp.nullable(),
  failure: z.string().nullable().describe('What was there at the last look instead.'),
})

export const ssoShape = z.object({
  workspace_id: z.string(),
  settings: z
    .object({
      issuer: z.string(),
      client_id: z.string(),
      default_role: ssoRoleSchema,
      is_required: z.boolean(),
      owners_keep_other_ways: z.boolean(),
      worked_at: timestamp.nullable().describe('When somebody last came in; null: nobody yet.'),
      member_count: z.int().describe('Members who came in by it.'),
    })
    .nullable()
    .describe('null: it is not set up. The client secret is never shown.'),
  domains: z.array(ssoDomainShape),
  redirect_uri: z.string().describe('What the provider is told as redirect URI.'),
  sign_in_url: z.string().describe('Where members log in.'),
})

export const exampleSsoDomain: z.input<typeof ssoDomainShape> = {
  domain: 'example.com',
  is_verified: true,
  method: 'dns',
  dns_name: '_flamegate-sso.example.com',
  token: 'flamegate-sso-3q2…',
  verified_at: '2026-11-20T09:00:00.000Z',
  checked_at: '2026-11-20T09:00:00.000Z',
  failure: null,
}

export const exampleSso: z.input<typeof ssoShape> = {
  workspace_id: 'ws_01',
  settings: {
    issuer: 'https://login.example.com',
    client_id: 'flamegate',
    default_role: 'member',
    is_required: false,
    owners_keep_other_ways: true,
    worked_at: '2026-11-20T10:00:00.000Z',
    member_count: 3,
  },
  domains: [exampleSsoDomain],
  redirect_uri: 'https://flamegate.example/auth/sso/ws_01/callback',
  sign_in_url: 'https://flamegate.example/sign-in/sso/acme',
}

export function tellSso({ settings, domains }: z.output<typeof ssoShape>): string {
  const names = domains.map(
    ({ domain, is_verified }) => `${domain} (${is_verified ? 'proved' : 'not proved'})`,
  )
  const told =
    settings === null
      ? 'Single sign-on is not set up.'
      : `Single sign-on by ${settings.issuer}, ${settings.is_required ? 'required' : 'not required'}.`
  return names.length === 0 ? told : `${told} Domains: ${names.join(', ')}.`
}
