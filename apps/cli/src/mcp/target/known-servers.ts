import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { readEntry, readServers, serverFiles } from './client-files.ts'

/** A server that a file names, with nothing of what it is given: that may be secret. */
export interface KnownServer {
  name: string
  /** The first file that has it, which is the one that is believed. */
  from: string
  kind: 'command' | 'url'
}

export interface KnownServers {
  servers: KnownServer[]
  /** Files and entries that cannot be read, and why. */
  faults: string[]
}

/** The servers that `--mcp` finds by name. */
export async function knownServers({ cwd, env }: Pick<Terminal, 'cwd' | 'env'>): Promise<KnownServers> {
  const known = new Map<string, KnownServer>()
  const faults: string[] = []
  const told = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error.message)
      return undefined
    }
  }
  for (const file of serverFiles(cwd, env['HOME'] || env['USERPROFILE'])) {
    for (const [name, value] of Object.entries((await told(() => readServers(file))) ?? {})) {
      if (known.has(name)) continue
      const entry = await told(() => readEntry(name, file.label, value))
      if (entry === undefined) continue
      known.set(name, { name, from: file.label, kind: entry.command === undefined ? 'url' : 'command' })
    }
  }
  return { servers: [...known.values()], faults }
}
