import { ConfigError } from '@flamegate/runtime'
import { z } from 'zod'
import type { AccountSettings } from '../account-settings.ts'
import type { ForeignSignIn } from './foreign-sign-in.ts'
import { githubSignIn } from './github-sign-in.ts'
import { oidcSignIn } from './oidc-sign-in.ts'

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
