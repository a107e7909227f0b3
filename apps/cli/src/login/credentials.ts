import { siteUrl } from '../cli-config.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { Audience } from './authorization-server.ts'
import { freshToken } from './fresh-token.ts'
import { canProveJob, keylessToken } from './keyless.ts'
import { readLogin } from './stored-login.ts'

/** Where to call, and as whom. */
export interface CliCredentials {
  url: string
  token: string | ((refused?: string) => Promise<string>)
}

/**
 * The API token of the environment, else what a job of GitHub Actions gets for its identity, else the log-in. An API token never goes where somebody logged in, nor the
 * log-in anywhere else.
 *
 * @throws UsageError when there is neither
 */
export function credentialsOf(env: Terminal['env'], audience: Audience = 'v1'): CliCredentials {
  const { FLAMEGATE_TOKEN: token, FLAMEGATE_URL: given } = env
  if (token) return { url: siteUrl(given), token }
  if (canProveJob(env)) return { url: siteUrl(given), token: keylessToken(env, siteUrl(given)) }
  const login = readLogin(env)
  const url = siteUrl(given || login?.url)
  if (login?.url === url) return { url, token: (refused) => freshToken(env, { url, audience }, refused) }
  throw new UsageError(
    `You are not logged in at ${url}. Log in with flamegate login, or set FLAMEGATE_TOKEN to an API token (fg_…): the web page API tokens makes one.`,
  )
}
