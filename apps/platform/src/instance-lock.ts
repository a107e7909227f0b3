import { randomUUID } from 'node:crypto'
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readIfThere } from './owner-only-file.ts'
import { startOf } from './process-identity.ts'

const ownerSchema = z.object({ pid: z.number().int(), startedAt: z.string() })

/** Another process works on the data directory. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  readonly isForOperator = true
}

export interface InstanceLock {
  release: () => Promise<void>
}

/**
 * Makes this process the only one that works on a data directory, which it creates if need be. A lock whose owner was
 * killed is taken over.
 * @throws AlreadyRunning that names the other process.
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'instance.lock')
  const text = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) ?? '' })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  try {
    // Whole or not at all: nobody ever reads a half-written lock.
    await takeLock(draft, path, dataDir, 5)
  } finally {
    await rm(draft, { force: true })
  }
  return {
    release: async () => {
      if ((await readIfThere(path)) === text) await rm(path, { force: true })
    },
  }
}

async function takeLock(draft: string, path: string, dataDir: string, attemptsLeft: number): Promise<void> {
  if (await linked(draft, path)) return
  const text = await readIfThere(path)
  const owner = text === undefined ? undefined : parseOwner(text)
  if (owner && startOf(owner.pid) === owner.startedAt) throw alreadyRunning(dataDir, owner.pid)
  if (attemptsLeft === 0)
    throw new AlreadyRunning(`The lock of ${resolve(dataDir)} cannot be taken. Try again.`)
  if (text !== undefined) await removeAbandoned(path, text)
  await takeLock(draft, path, dataDir, attemptsLeft - 1)
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moves the lock aside before looking again, because somebody else may just have replaced it by a live one. */
async function removeAbandoned(path: string, expected: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if ((await readIfThere(aside)) !== expected) await linked(aside, path)
  await rm(aside, { force: true })
}

function parseOwner(text: string): z.output<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function alreadyRunning(dataDir: string, pid: number): AlreadyRunning {
  return new AlreadyRunning(
    `Flamegate already runs on ${resolve(dataDir)} as process ${pid}. Use that one, stop it (kill ${pid}), ` +
      'or choose another folder with FLAMEGATE_DATA_DIR and another port with FLAMEGATE_PORT.',
  )
}
