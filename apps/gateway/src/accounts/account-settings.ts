import { ConfigError, mailServerOf, mailSettings } from '@flamegate/runtime'
import type { Logger } from '@flamegate/runtime'
import { z } from 'zod'
import type { ForeignSignIn } from './elsewhere/foreign-sign-in.ts'
import { githubSignIn } from './elsewhere/github-sign-in.ts'
import { isOnThisMachine } from './elsewhere/issuer-fetch.ts'
import { oidcSignIn } from './elsewhere/oidc-sign-in.ts'
import { logMailer } from './mail/log-mailer.ts'
import type { Mailer } from './mail/mailer.ts'
import { smtpMailer } from './mail/smtp-mailer.ts'

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

/** The mail server of the settings, or the log. */
export function openMailer(config: AccountSettings, publicUrl: string, log: Logger): Mailer {
  const server = mailServerOf(config, publicUrl)
  return server === undefined ? logMailer(log) : smtpMailer(server, log)
}

/** The services of the settings. @throws ConfigError when one of them is only named in part */
export function openSignIns(config: AccountSettings): ForeignSignIn[] {
  const oidc = allOf(config, [
    'FLAMEGATE_OIDC_ISSUER',
    'FLAMEGATE_OIDC_CLIENT_ID',
    'FLAMEGATE_OIDC_CLIENT_SECRET',
  ])
  const github = allOf(config, ['FLAMEGATE_GITHUB_CLIENT_ID', 'FLAMEGATE_GITHUB_CLIENT_SECRET'])
  const google = allOf(config, ['FLAMEGATE_GOOGLE_CLIENT_ID', 'FLAMEGATE_GOOGLE_CLIENT_SECRET'])
  const signIns = [
    oidc &&
      oidcSignIn({
        id: 'oidc',
        name: config.FLAMEGATE_OIDC_NAME,
        issuer: oidc.FLAMEGATE_OIDC_ISSUER,
        clientId: oidc.FLAMEGATE_OIDC_CLIENT_ID,
        clientSecret: oidc.FLAMEGATE_OIDC_CLIENT_SECRET,
      }),
    github &&
      githubSignIn({
        clientId: github.FLAMEGATE_GITHUB_CLIENT_ID,
        clientSecret: github.FLAMEGATE_GITHUB_CLIENT_SECRET,
      }),
    google &&
      oidcSignIn({
        id: 'google',
        name: 'Google',
        issuer: 'https://accounts.google.com',
        clientId: google.FLAMEGATE_GOOGLE_CLIENT_ID,
        clientSecret: google.FLAMEGATE_GOOGLE_CLIENT_SECRET,
      }),
  ]
  return signIns.filter((each) => each !== undefined)
}

/** These settings, when all of them are there; undefined when none is. */
function allOf<const Name extends keyof AccountSettings>(
  config: AccountSettings,
  names: readonly Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => config[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length > 0) {
    throw new ConfigError(
      `A setting is not right:\n  ${missing.join(', ')} must be set too, beside the others.`,
    )
  }
  const values = Object.fromEntries(names.map((name) => [name, config[name]]))
  return z.record(z.enum(names), z.string()).parse(values)
}
