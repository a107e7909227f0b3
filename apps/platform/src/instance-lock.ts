import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readIfThere, writeOwnerOnly } from './owner-only-file.ts'
import { startOf } from './process-identity.ts'

const ownerSchema = z.object({ pid: z.number().int(), startedAt: z.string() })

/** Another process works on the data directory. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  readonly isForOperator = true
}

/** Nothing can be kept in the data directory. */
class NoDataDir extends Error {
  override name = 'NoDataDir'
  readonly isForOperator = true
}

export interface InstanceLock {
  release: () => Promise<void>
}

/**
 * Makes this process the only one that works on a data directory, which it creates if need be. A lock whose owner was
 * killed is taken over.
 *
 * The lock is the file `instance.lock.<n>` with the highest number. Whoever finds its owner gone creates the next one,
 * which the file system lets only one process do; nobody ever removes or replaces the lock of another. The number
 * never goes back, because the highest file stays, without an owner, when its lock is released.
 * @throws AlreadyRunning that names the other process, NoDataDir when the folder cannot be written
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  const owner = { pid: process.pid, startedAt: startOf(process.pid) ?? '' }
  // Linked into place, the lock appears with its content: nobody reads a half-written one.
  const draft = join(dataDir, `.instance.lock.${randomUUID()}`)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(draft, JSON.stringify(owner), { mode: 0o600 })
  } catch (cause) {
    throw new NoDataDir(
      `A setting is not right:\n  FLAMEGATE_DATA_DIR is "${dataDir}". Nothing can be kept there (${cause instanceof Error ? cause.message : String(cause)}). Set it to a folder that this process may write to.`,
      { cause },
    )
  }
  try {
    const path = pathOf(dataDir, await takeNextLock(dataDir, draft))
    return { release: () => writeOwnerOnly(path, null) }
  } finally {
    await rm(draft, { force: true })
  }
}

/** @returns the number of our lock */
async function takeNextLock(dataDir: string, draft: string): Promise<number> {
  const highest = Math.max(0, ...(await lockNumbers(dataDir)))
  const owner = parseOwner((await readIfThere(pathOf(dataDir, highest))) ?? '')
  if (owner && startOf(owner.pid) === owner.startedAt) throw alreadyRunning(dataDir, owner.pid)
  const number = highest + 1
  if (!(await linked(draft, pathOf(dataDir, number)))) return takeNextLock(dataDir, draft)
  // Others may have come and gone since we looked, and cleared our number away before we took it.
  const numbers = await lockNumbers(dataDir)
  const isOvertaken = numbers.some((other) => other > number)
  const outdated = isOvertaken ? [number] : numbers.filter((other) => other < number)
  await Promise.all(outdated.map((other) => rm(pathOf(dataDir, other), { force: true })))
  return isOvertaken ? takeNextLock(dataDir, draft) : number
}

function pathOf(dataDir: string, number: number): string {
  return join(dataDir, `instance.lock.${number}`)
}

async function lockNumbers(dataDir: string): Promise<number[]> {
  const names = await readdir(dataDir)
  return names.flatMap((name) => {
    const number = /^instance\.lock\.(?<number>\d+)$/.exec(name)?.groups?.['number']
    return number === undefined ? [] : [Number(number)]
  })
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
