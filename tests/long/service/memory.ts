import { readFileSync } from 'node:fs'

/** The memory of a process at a time; of PostgreSQL that of all its processes, without what they share. */
interface MemorySample {
  atMs: number
  mib: number
}

/** What is left of a process when its garbage is collected. */
export interface Collected {
  /** What its JavaScript holds: the heap, and what belongs to it outside. */
  liveMib: number
  /** All of it that the machine keeps in memory. */
  residentMib: number
}

export interface MemoryTrend {
  name: string
  /** Mean of the first and of the last tenth of what is looked at. */
  beganMib: number
  endedMib: number
  mibPerMinute: number
  /** What was left after all garbage was collected, when what is looked at began and when it ended: of those that can do that. */
  collected: { began: Collected; ended: Collected } | undefined
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

  /** Of the time from `fromMs` on: what comes before fills caches. */
  stop(
    fromMs: number,
    began: ReadonlyMap<string, Collected> = new Map(),
    ended: ReadonlyMap<string, Collected> = new Map(),
  ): MemoryTrend[] {
    clearInterval(this.#timer)
    return [...this.#samples].map(([name, samples]) => {
      const late = samples.filter(({ atMs }) => atMs >= fromMs)
      const [before, after] = [began.get(name), ended.get(name)]
      return trendOf(name, late, before && after && { began: before, ended: after })
    })
  }
}

/**
 * Flat is what grows by less than a tenth of it, or by less than 16 MiB. Of processes that were told to collect their garbage it is what was
 * left that counts, of the heap and of all: what they hold in between is also how lazy their collector is.
 */
export function trendOf(
  name: string,
  samples: readonly MemorySample[],
  collected?: MemoryTrend['collected'],
): MemoryTrend {
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
    collected,
    isFlat:
      collected === undefined
        ? isFlat(meanMib - grownMib / 2, meanMib + grownMib / 2)
        : isFlat(collected.began.liveMib, collected.ended.liveMib) &&
          isFlat(collected.began.residentMib, collected.ended.residentMib),
  }
}

const isFlat = (beganMib: number, endedMib: number) =>
  endedMib - beganMib < Math.max(16, (beganMib + endedMib) / 20)

/** Undefined of one that has ended meanwhile. */
export function memoryOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
    const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    if (!isPostgres) return fieldOf(pid, 'VmRSS')
    return [pid, ...children].reduce((sum, each) => sum + (fieldOf(each, 'RssAnon') ?? 0), 0)
  } catch {
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
