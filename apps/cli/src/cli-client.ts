import { createClient, type Client } from '@flamegate/client'
import { credentialsOf } from './login/credentials.ts'
import type { Terminal } from './terminal.ts'

/** Calls as whoever the environment or the log-in says. @throws UsageError when there is neither */
export function cliClient({ env }: Pick<Terminal, 'env'>): Client {
  const { url, token } = credentialsOf(env)
  return createClient({
    baseUrl: url,
    token,
    headers: { 'user-agent': 'flamegate-cli' },
    timeoutMs: 60_000,
  })
}
