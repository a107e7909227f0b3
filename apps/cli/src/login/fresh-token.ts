import type { Terminal } from '../terminal.ts'
import {
  findAuthorizationServer,
  isRefused,
  LogInRefused,
  type Audience,
  type Tokens,
} from './authorization-server.ts'
import { readLogin, storeLogin, type StoredLogin } from './stored-login.ts'

/** A token that ends within this time is not begun with. */
const spareMs = 30_000

export function loginOf(url: string, tokens: Tokens): StoredLogin {
  return { url, refresh_token: tokens.refresh_token, ...accessTokenOf(tokens) }
}

function accessTokenOf({ access_token, expires_in }: Tokens) {
  return { access_token, expires_at: new Date(Date.now() + expires_in * 1000).toISOString() }
}

/**
 * The access token of a log-in; a new one when its time is nearly over, or when it is the one that was refused, because
 * the person changed what the command line may do. A new one is kept for the next command.
 *
 * @throws LogInRefused when the log-in was ended
 */
export async function freshToken(
  env: Terminal['env'],
  { url, audience }: { url: string; audience: Audience },
  refused?: string,
): Promise<string> {
  const login = readLogin(env)
  if (login?.url !== url) throw new LogInRefused(`You are logged out of ${url}. Log in: flamegate login.`)
  const present = audience === 'mcp' ? login.mcp : login
  const isOver = present === undefined || Date.parse(present.expires_at) <= Date.now() + spareMs
  if (!isOver && present.access_token !== refused) return present.access_token
  const server = await findAuthorizationServer(url)
  const tokens = await server.refresh(login.refresh_token, audience)
  if (isRefused(tokens)) {
    throw new LogInRefused(
      tokens.error === 'invalid_target'
        ? `Your log-in at ${url} is from a time when log-ins were not for MCP. Log in again: flamegate login.`
        : `Your log-in at ${url} has ended. Log in again: flamegate login.`,
    )
  }
  const fresh = accessTokenOf(tokens)
  await storeLogin(env, {
    ...login,
    refresh_token: tokens.refresh_token,
    ...(audience === 'mcp' ? { mcp: fresh } : fresh),
  })
  return fresh.access_token
}
