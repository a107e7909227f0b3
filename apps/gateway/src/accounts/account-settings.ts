import { mailSettings } from '@flamegate/runtime'
import { z } from 'zod'
import { isOnThisMachine } from './elsewhere/issuer-fetch.ts'

const secret = (description: string) => z.string().optional().describe(description).meta({ secret: true })

/** What accounts can be told: how mails go out, and with which other services one may log in. */
export const accountSettings = {
  ...mailSettings,
  FLAMEGATE_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .refine((url) => url.startsWith('https:') || isOnThisMachine(url), 'It must be https.')
    .optional()
    .describe('OpenID Connect provider that people may log in with; reached over the public internet.')
    .meta({ kind: 'a URL' }),
  FLAMEGATE_OIDC_CLIENT_ID: z.string().optional().describe('Our client id there.'),
  FLAMEGATE_OIDC_CLIENT_SECRET: secret('Our client secret there.'),
  FLAMEGATE_OIDC_NAME: z.string().max(40).default('single sign-on').describe('Its name on the log-in page.'),
  FLAMEGATE_GITHUB_CLIENT_ID: z.string().optional().describe('OAuth app of GitHub, to log in with it.'),
  FLAMEGATE_GITHUB_CLIENT_SECRET: secret('Its client secret.'),
  FLAMEGATE_GOOGLE_CLIENT_ID: z.string().optional().describe('OAuth client of Google, to log in with it.'),
  FLAMEGATE_GOOGLE_CLIENT_SECRET: secret('Its client secret.'),
}

const settings = z.object(accountSettings)
export type AccountSettings = z.output<typeof settings>
