import { readFileSync } from 'node:fs'

/** The memory of a process at a time; of PostgreSQL that of all its processes, without what they share. */
interface MemorySample {
  atMs: number
  mib: number
}

export interface MemoryTrend {
  name: string
  /** Mean of the first and of the last tenth of what is looked at. */
  beganMib: number
  endedMib: number
  mibPerMinute: number
  isFlat: boolean
}

/** Looks every few seconds until it is stopped. */
export class MemoryWatch {
  readonly #samples = new Map<string, MemorySample[]>()
  readonly #timer: NodeJS.Timeout

  constructor(pids: () => Record<string, number>, everyMs = 5_000) {
    this.#timer = setInterval(() => {
      for (const [name, pid] of Object.entries(pids())) {
        const mib = memoryOf(pid)
        if (mib === undefined) continue
        const samples = this.#samples.get(name) ?? []
        this.#samples.set(name, samples)
        samples.push({ atMs: performance.now(), mib })
      }
    }, everyMs)
  }

  /** Of the later two thirds: what comes first fills caches. */
  stop(): MemoryTrend[] {
    clearInterval(this.#timer)
    return [...this.#samples].map(([name, samples]) =>
      trendOf(name, samples.slice(Math.floor(samples.length / 3))),
    )
  }
}

/** Flat is what grows by less than a tenth of it, or by less than 16 MiB, which is what a collection may leave for later. */
export function trendOf(name: string, samples: readonly MemorySample[]): MemoryTrend {
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / samples.length
  const meanMib = samples.reduce((sum, { mib }) => sum + mib, 0) / samples.length
  const spread = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  const together = samples.reduce((sum, { atMs, mib }) => sum + (atMs - meanAt) * (mib - meanMib), 0)
  const mibPerMs = spread === 0 ? 0 : together / spread
  const tookMs = (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)
  const grownMib = mibPerMs * tookMs
  return {
    name,
    beganMib: meanMib - grownMib / 2,
    endedMib: meanMib + grownMib / 2,
    mibPerMinute: mibPerMs * 60_000,
    isFlat: grownMib < Math.max(16, meanMib / 10),
  }
}

function memoryOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
    const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    if (!isPostgres) return fieldOf(pid, 'VmRSS')
    return [pid, ...children].reduce((sum, each) => sum + (fieldOf(each, 'RssAnon') ?? 0), 0)
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

function fieldOf(pid: number, field: 'VmRSS' | 'RssAnon'): number | undefined {
  try {
    const [, kib] =
      new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? undefined : Number(kib) / 1024
  } catch {
    return undefined
  }
}
