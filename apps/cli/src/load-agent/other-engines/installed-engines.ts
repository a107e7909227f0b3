import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type { OtherEngineName } from '@flamegate/loadtest'
import { otherEngines } from '@flamegate/loadtest/scenario'
import { inOwnFolder } from '../../capture/in-own-folder.ts'
import { UsageError } from '../../usage-error.ts'

/** An engine that others made, on this machine. */
export interface InstalledEngine {
  type: OtherEngineName
  /** Where its program is. */
  program: string
  /** Null: it is not run, not even to ask, unless it is allowed. */
  version: string | null
  isAllowed: boolean
}

/** A Java program takes seconds on a machine that is busy. */
const answerWithinMs = 60_000

/** How each tells its version, in a folder where it may leave a log. */
const versionArguments: Readonly<Record<OtherEngineName, readonly string[]>> = {
  k6: ['version'],
  jmeter: ['--version'],
}

/**
 * Looks for engines on the PATH. Those that the owner of the machine allows are asked for their version.
 * @throws UsageError when one that is allowed is not there, or does not run
 */
export async function findEngines(
  allowed: readonly OtherEngineName[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<InstalledEngine[]> {
  // They are ended by their process group, which Windows does not have.
  if (process.platform === 'win32') {
    if (allowed.length > 0) throw new UsageError('--allow-engine works on Linux and macOS only.')
    return []
  }
  const found = await Promise.all(otherEngines.map((type) => findEngine(type, allowed.includes(type), env)))
  return found.filter((engine) => engine !== undefined)
}

async function findEngine(
  type: OtherEngineName,
  isAllowed: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InstalledEngine | undefined> {
  const program = await onPath(type, env['PATH'] ?? '')
  if (!isAllowed) return program === undefined ? undefined : { type, program, version: null, isAllowed }
  if (program === undefined) throw new UsageError(`--allow-engine ${type}: There is no ${type} on the PATH.`)
  try {
    return { type, program, version: await versionOf(type, program, env), isAllowed }
  } catch (cause) {
    throw new UsageError(`--allow-engine ${type}: ${program} does not run.`, { cause })
  }
}

async function onPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const program = join(folder, name)
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first one counts
      await access(program, constants.X_OK)
      return program
    } catch {
      // It is in another folder, or in none.
    }
  }
  return undefined
}

async function versionOf(
  type: OtherEngineName,
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  return inOwnFolder(async (folder) => {
    const { stdout } = await promisify(execFile)(program, [...versionArguments[type]], {
      cwd: folder,
      env: engineEnvironment(env, folder),
      timeout: answerWithinMs,
    })
    const [version] = /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(stdout) ?? []
    if (version === undefined) throw new Error(`It told no version: ${stdout.slice(0, 200)}`)
    return version
  })
}

/** What an engine sees of the environment of the agent: nothing that is secret. Home and temporary files are its own. */
export function engineEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'JAVA_HOME', 'JMETER_HOME'].flatMap(
    (name): [string, string][] => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    },
  )
  return { ...Object.fromEntries(kept), HOME: folder, TMPDIR: folder }
}
