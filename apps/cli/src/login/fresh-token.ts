import type { Terminal } from '../terminal.ts'
import { findAuthorizationServer, isRefused, LogInRefused, type Tokens } from './authorization-server.ts'
import { readLogin, storeLogin, type StoredLogin } from './stored-login.ts'

/** A token that ends within this time is not begun with. */
const spareMs = 30_000

export function loginOf(url: string, { access_token, refresh_token, expires_in }: Tokens): StoredLogin {
  const expires_at = new Date(Date.now() + expires_in * 1000).toISOString()
  return { url, access_token, refresh_token, expires_at }
}

/**
 * The access token of a log-in; a new one when its time is nearly over, or when it is the one that was refused, because
 * the person changed what the command line may do. A new one is kept for the next command.
 *
 * @throws LogInRefused when the log-in was ended
 */
export async function freshToken(env: Terminal['env'], url: string, refused?: string): Promise<string> {
  const login = readLogin(env)
  if (login?.url !== url) throw new LogInRefused(`You are logged out of ${url}. Log in: flamegate login.`)
  const isOver = Date.parse(login.expires_at) <= Date.now() + spareMs
  if (!isOver && login.access_token !== refused) return login.access_token
  const server = await findAuthorizationServer(url)
  const tokens = await server.refresh(login.refresh_token)
  if (isRefused(tokens)) {
    throw new LogInRefused(`Your log-in at ${url} has ended. Log in again: flamegate login.`)
  }
  await storeLogin(env, loginOf(url, tokens))
  return tokens.access_token
}
