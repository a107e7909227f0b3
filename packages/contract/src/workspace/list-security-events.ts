import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'

export const listSecurityEvents = defineOperation({
  id: 'list_security_events',
  title: 'List security events',
  description:
    'Log-ins, changes to the account, what was allowed to apps and taken back, newest first: when, what, from which address and browser. Your own; those of everybody for administrators of the installation.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['admin'],
  // About people and not about a workspace.
  role: 'viewer',
  tenancy: 'none',
  mcp: false,
  http: { method: 'GET', path: '/v1/security-events' },
  input: z.strictObject({
    everybody: z
      .boolean()
      .default(false)
      .describe('Not only your own. For administrators of the installation.'),
    user: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .describe('Together with everybody: only those of this person, by id or e-mail address.'),
    action: z.string().max(40).optional().describe('Only this, such as log_in.'),
    outcome: z.string().max(60).optional().describe('Only with this outcome: ok, wrong_password, …'),
    since: timestamp.optional().describe('Not before this time.'),
    until: timestamp.optional().describe('Before this time.'),
    ...pageInput,
  }),
  output: z.object({
    security_events: z.array(
      z.object({
        id: z.string(),
        at: timestamp,
        user_id: z.string().nullable().describe('null when it is not known who it was.'),
        user_email: z.string().nullable(),
        action: z.string(),
        outcome: z.string().describe('ok, or what was wrong.'),
        client_id: z.string(),
        client_name: z.string(),
        target: z.string().nullable(),
        ip: z.string(),
        user_agent: z.string().nullable(),
      }),
    ),
    ...pageOutput,
  }),
  problems: ['insufficient_role', 'cursor_invalid'],
  examples: [
    {
      title: 'A wrong password',
      input: { outcome: 'wrong_password' },
      output: {
        security_events: [
          {
            id: 'aud_01',
            at: '2026-11-20T10:00:00.000Z',
            user_id: 'usr_01',
            user_email: 'ada@example.com',
            action: 'log_in',
            outcome: 'wrong_password',
            client_id: 'web',
            client_name: 'Flamegate web',
            target: null,
            ip: '192.0.2.7',
            user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
          },
        ],
        next_cursor: null,
      },
    },
  ],
  link: (_output, { everybody }) => (everybody ? '/security-events' : '/settings/account'),
  markdown: ({ security_events, next_cursor }) =>
    table(
      ['When', 'Who', 'What', 'Outcome', 'Client', 'Address'],
      security_events.map((event) => [
        event.at,
        event.user_email ?? event.user_id,
        event.action,
        event.outcome,
        event.client_name,
        event.ip,
      ]),
      'Nothing was recorded that fits.',
    ) + moreLine(next_cursor),
})
