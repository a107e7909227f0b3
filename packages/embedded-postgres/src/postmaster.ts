import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Clears away what a killed owner left behind in a data directory: a server that still runs without anybody, or a pid
 * file whose number now belongs to some other program (PostgreSQL would refuse to start because of it).
 * Only call this when it is certain that no live owner exists.
 */
export async function clearAbandonedServer(
  dataDir: string,
): Promise<'nothing' | 'stale file' | 'stopped server'> {
  const pidFile = join(dataDir, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8').catch(() => undefined)
  if (text === undefined) return 'nothing'
  // https://www.postgresql.org/docs/18/storage-file-layout.html: the first line is the postmaster's process id.
  const pid = Number(text.split('\n')[0])
  if (!isServerOf(pid, dataDir)) {
    await rm(pidFile, { force: true })
    return 'stale file'
  }
  await stopServer(pid)
  return 'stopped server'
}

/**
 * Stops a server: first as `pg_ctl stop -m fast` does, then without waiting for a checkpoint, then by force.
 * https://www.postgresql.org/docs/18/server-shutdown.html
 */
export async function stopServer(pid: number): Promise<void> {
  if (await endsAfter(pid, 'SIGINT', 10_000)) return
  if (await endsAfter(pid, 'SIGQUIT', 5_000)) return
  await endsAfter(pid, 'SIGKILL', 5_000)
}

async function endsAfter(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  if (!sendSignal(pid, signal)) return true
  return waitForEnd(pid, performance.now() + timeoutMs)
}

async function waitForEnd(pid: number, deadline: number): Promise<boolean> {
  if (!isAlive(pid)) return true
  if (performance.now() > deadline) return false
  await sleep(20)
  return waitForEnd(pid, deadline)
}

function isAlive(pid: number): boolean {
  return sendSignal(pid, 0) && processState(pid) !== 'Z'
}

/** False when there is no such process (any more). */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** `Z` for a process that has ended but whose parent has not noticed; undefined where there is no /proc. */
function processState(pid: number): string | undefined {
  try {
    // The name is in parentheses and may itself hold parentheses: the state follows the last one.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
  } catch {
    return undefined
  }
}

function isServerOf(pid: number, dataDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false
  return commandLine(pid).includes(dataDir) && commandLine(pid).includes('postgres')
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
