import { Client } from 'pg'
import { connectOptions } from './connect.ts'

/** Settings of databases do not lead into one. `message` has a line for each, and is meant to be printed as it is. */
class NoConnection extends Error {
  override name = 'NoConnection'
  readonly isForOperator = true
}

/**
 * Looks whether the databases of settings let us in, all at once, before anything is asked of them, and as somebody whom row-level
 * security binds, unless it is an administrator who is wanted. Those that are not set are left out.
 * @param urls connection strings by the name of their setting
 * @throws NoConnection that names each setting, what was wrong and what to do, and never a password
 */
export async function checkConnections(
  urls: Readonly<Record<string, string | undefined>>,
  { mayBeAdministrator = false } = {},
): Promise<void> {
  const looks = Object.entries(urls).map(async ([setting, url]) =>
    url === undefined
      ? []
      : (await problemOf(url, mayBeAdministrator)).map((problem) => `  ${setting}: ${problem}`),
  )
  const lines = (await Promise.all(looks)).flat()
  if (lines.length === 0) return
  const heading = lines.length === 1 ? 'A setting is not right:' : `${lines.length} settings are not right:`
  throw new NoConnection([heading, ...lines].join('\n'))
}

/** What is wrong with a connection string, and what to do; nothing when it leads into a database. */
async function problemOf(url: string, mayBeAdministrator: boolean): Promise<string[]> {
  const client = new Client(connectOptions(url, 'flamegate check'))
  // One that breaks says so to whoever waits for it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ isUnbound: boolean }>(
      'SELECT rolsuper OR rolbypassrls AS "isUnbound" FROM pg_roles WHERE rolname = current_user',
    )
    if (mayBeAdministrator || rows[0]?.isUnbound === false) return []
    return [
      `${client.user} is above row-level security, so that nothing in the database would keep workspaces apart. Set it to the role that apps/platform/src/prepare-database.ts makes for it.`,
    ]
  } catch (error) {
    return [inWords(error, client)]
  } finally {
    await client.end().catch(() => undefined)
  }
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const wrongLogin = new Set(['28P01', '28000'])
const noDatabase = '3D000'

function inWords(error: unknown, { host, port, user, database }: Client): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const words = error instanceof Error ? error.message || String(code) : String(error)
  if (typeof code === 'string' && wrongLogin.has(code))
    return `PostgreSQL at ${host}:${port} does not let ${user} in (${words}). Set it to the password that this role has there.`
  if (code === noDatabase)
    return `PostgreSQL at ${host}:${port} has no database ${database}. Set it to the one that there is; apps/platform/src/prepare-database.ts makes it.`
  return `PostgreSQL at ${host}:${port} could not be asked (${words}). Start it, or set this to where it is.`
}
