import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const accessToken = z.object({ access_token: z.string(), expires_at: z.iso.datetime() })

/** With the access token for `/v1`. */
const storedLogin = accessToken.extend({
  /** Where it is good, without a trailing slash. */
  url: z.string(),
  refresh_token: z.string(),
  /** For `/mcp`, once somebody needed one. */
  mcp: accessToken.optional(),
})

/** What `flamegate login` keeps: one log-in, the last. */
export type StoredLogin = z.output<typeof storedLogin>

/** Undefined when nobody is logged in. @throws UsageError when the file is not what we wrote */
export function readLogin(env: Terminal['env']): StoredLogin | undefined {
  const file = loginFile(env)
  const text = file === undefined ? undefined : readIfThere(file)
  if (text === undefined) return undefined
  try {
    return storedLogin.parse(JSON.parse(text))
  } catch {
    throw new UsageError(`${file} cannot be read. Log in again: flamegate login --url <url>.`)
  }
}

/** Whether there is a place to keep a log-in. */
export function canKeepLogin(env: Terminal['env']): boolean {
  return loginFile(env) !== undefined
}

/** Replaces the log-in. Only this user may read the file; another process sees the old one or the new one. */
export async function storeLogin(env: Terminal['env'], login: StoredLogin): Promise<void> {
  const file = loginFile(env)
  if (file === undefined) throw new RangeError('There is no folder to keep the log-in in')
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

export async function removeLogin(env: Terminal['env']): Promise<void> {
  const file = loginFile(env)
  if (file !== undefined) await rm(file, { force: true })
}

/** In the user's configuration folder: https://specifications.freedesktop.org/basedir-spec/latest/ */
function loginFile({ XDG_CONFIG_HOME, APPDATA, HOME }: Terminal['env']): string | undefined {
  const folder = XDG_CONFIG_HOME || APPDATA || (HOME ? path.join(HOME, '.config') : undefined)
  return folder === undefined ? undefined : path.join(folder, 'flamegate', 'login.json')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
