import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { McpResourceSample } from '@flamegate/mcp-profiling'

/** Clock ticks per second in /proc: 100 on all architectures that there are. */
const ticksPerSecond = 100

/** What one process has used until now. */
interface ProcessUse {
  pid: number
  /** Since it began. */
  cpuMs: number
  rssBytes: number
  readBytes: number | null
  writeBytes: number | null
  threads: number | null
  openFiles: number | null
}

/** Watches a process and all that it has started. */
export class ProcessTree {
  readonly #root: number
  #before: { atMs: number; cpuMs: ReadonlyMap<number, number>; queuedMs: number } | undefined

  constructor(root: number) {
    this.#root = root
  }

  /** Undefined when it has ended. The first one has no share of the processor yet, and is 0. */
  async sample(sinceMs: number): Promise<McpResourceSample | undefined> {
    const uses = process.platform === 'linux' ? await usesInProc(this.#root) : await usesByPs(this.#root)
    if (uses.length === 0) return undefined
    const atMs = performance.now()
    const before = this.#before
    // That of this process, too: what measures and does not run makes the server wait for the next call.
    const queuedMs = await queuedMsOf([process.pid, ...uses.map(({ pid }) => pid)])
    this.#before = { atMs, cpuMs: new Map(uses.map(({ pid, cpuMs }) => [pid, cpuMs])), queuedMs }
    const usedMs = sum(uses.map(({ pid, cpuMs }) => cpuMs - (before?.cpuMs.get(pid) ?? 0)))
    return {
      atMs: atMs - sinceMs,
      cpuPercent: before === undefined ? 0 : Math.max(0, (100 * usedMs) / Math.max(1, atMs - before.atMs)),
      ...(process.platform === 'linux' && before !== undefined
        ? {
            queuedPercent: Math.max(
              0,
              (100 * (queuedMs - before.queuedMs)) / Math.max(1, atMs - before.atMs),
            ),
          }
        : {}),
      rssBytes: sum(uses.map(({ rssBytes }) => rssBytes)),
      readBytes: sumOrNull(uses.map(({ readBytes }) => readBytes)),
      writeBytes: sumOrNull(uses.map(({ writeBytes }) => writeBytes)),
      processes: uses.length,
      threads: sumOrNull(uses.map(({ threads }) => threads)),
      openFiles: sumOrNull(uses.map(({ openFiles }) => openFiles)),
    }
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function usesInProc(root: number): Promise<ProcessUse[]> {
  const own = await useInProc(root)
  if (own === undefined) return []
  const below = await Promise.all((await childrenOf(root)).map((pid) => usesInProc(pid)))
  return [own, ...below.flat()]
}

async function useInProc(pid: number): Promise<ProcessUse | undefined> {
  const [stat, status, io, files] = await Promise.all([
    textOf(`/proc/${pid}/stat`),
    textOf(`/proc/${pid}/status`),
    // Only of one's own processes.
    textOf(`/proc/${pid}/io`),
    readdir(`/proc/${pid}/fd`).catch(() => undefined),
  ])
  if (stat === undefined || status === undefined) return undefined
  // The name, which is in brackets, may hold anything. Fields 14 and 15 are what it used itself, 3 its state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return undefined
  return {
    pid,
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
    rssBytes: 1024 * (numberIn(status, /^VmRSS:\s+(\d+)/m) ?? 0),
    readBytes: numberIn(io, /^read_bytes: (\d+)/m),
    writeBytes: numberIn(io, /^write_bytes: (\d+)/m),
    threads: numberIn(status, /^Threads:\s+(\d+)/m),
    openFiles: files?.length ?? null,
  }
}

/**
 * How long main threads of processes were ready to run and did not, because the processors had other work: the second number, in
 * ns, of https://docs.kernel.org/scheduler/sched-stats.html. 0 on other systems than Linux.
 */
export async function queuedMsOf(pids: readonly number[]): Promise<number> {
  const waited = await Promise.all(
    pids.map(async (pid) => Number((await textOf(`/proc/${pid}/schedstat`))?.split(' ')[1] ?? 0) / 1e6),
  )
  return sum(waited)
}

/** A process and all that it has started; only itself on other systems than Linux. */
export async function processesOf(root: number): Promise<number[]> {
  const below = await Promise.all((await childrenOf(root)).map((pid) => processesOf(pid)))
  return [root, ...below.flat()]
}

/** Each thread has its own children. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)))
  return lists.flatMap((list) => (list ?? '').split(' ').filter(Boolean).map(Number))
}

async function usesByPs(root: number): Promise<ProcessUse[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,rss=,time=']).catch(() => ({
    stdout: '',
  }))
  const rows = stdout.split('\n').flatMap((line) => {
    const [pid, parent, rss, time] = line.trim().split(/\s+/)
    return time === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), rss: Number(rss), time }]
  })
  const tree = new Set([root])
  // Children have come after their parents, but numbers begin anew: until nobody is found.
  for (let size = 0; size < tree.size;) {
    size = tree.size
    for (const { pid, parent } of rows) if (tree.has(parent)) tree.add(pid)
  }
  return rows
    .filter(({ pid }) => tree.has(pid))
    .map(({ pid, rss, time }) => ({
      pid,
      cpuMs: cpuMsOf(time),
      rssBytes: rss * 1024,
      readBytes: null,
      writeBytes: null,
      threads: null,
      openFiles: null,
    }))
}

/** `[[days-]hours:]minutes:seconds`, of which some systems tell hundredths. */
function cpuMsOf(time: string): number {
  const [days, rest] = time.includes('-') ? [Number(time.split('-')[0]), time.split('-')[1] ?? ''] : [0, time]
  const seconds = rest.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  return (days * 86_400 + seconds) * 1000
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

function numberIn(text: string | undefined, pattern: RegExp): number | null {
  const found = pattern.exec(text ?? '')?.[1]
  return found === undefined ? null : Number(found)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Null as soon as one is not known. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.reduce(
    (total, value) => (total === null || value === null ? null : total + value),
    0 as number | null,
  )
}
