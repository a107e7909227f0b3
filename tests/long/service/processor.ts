import { readFileSync } from 'node:fs'

/** What one tenant does in a phase: nothing besides its clients, all that it may, or more than that. */
export const phaseKinds = ['calm', 'within', 'beyond'] as const
export type PhaseKind = (typeof phaseKinds)[number]

/** What each process takes of a processor in such phases, in percent of one core. */
export interface ProcessorShare {
  name: string
  percent: Record<PhaseKind, number>
}

/** Clock ticks a second, in which Linux counts (`getconf CLK_TCK`). */
const ticksPerSecond = 100

/** Counts what processes take in phases that take turns. */
export class ProcessorWatch {
  readonly #pids: () => Record<string, number>
  readonly #spentMs = {
    calm: new Map<string, number>(),
    within: new Map<string, number>(),
    beyond: new Map<string, number>(),
  }
  readonly #tookMs = { calm: 0, within: 0, beyond: 0 }

  constructor(pids: () => Record<string, number>) {
    this.#pids = pids
  }

  /** Of one phase, until what it gives is called. */
  begin(phase: PhaseKind): () => void {
    const startedAtMs = performance.now()
    const before = this.#spentOf(this.#pids())
    return () => {
      this.#tookMs[phase] += performance.now() - startedAtMs
      const pids = this.#pids()
      const after = this.#spentOf(pids)
      for (const [name, pid] of Object.entries(pids)) {
        const spentMs = (after.get(pid) ?? 0) - (before.get(pid) ?? 0)
        this.#spentMs[phase].set(name, (this.#spentMs[phase].get(name) ?? 0) + spentMs)
      }
    }
  }

  #spentOf(pids: Record<string, number>): Map<number, number> {
    const told = new Set(Object.values(pids).map(String))
    return new Map(Object.values(pids).map((pid) => [pid, processorMsOf(pid, told)]))
  }

  shares(): ProcessorShare[] {
    const percent = (phase: PhaseKind, name: string) =>
      (100 * (this.#spentMs[phase].get(name) ?? 0)) / this.#tookMs[phase]
    return [...this.#spentMs.beyond.keys()].map((name) => ({
      name,
      percent: {
        calm: percent('calm', name),
        within: percent('within', name),
        beyond: percent('beyond', name),
      },
    }))
  }
}

/**
 * With the processes that it started, as PostgreSQL has one for each connection: those that are there, but for those that are `told`
 * of themselves, and those that ended.
 */
function processorMsOf(pid: number, told: ReadonlySet<string>): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    const ours = children.filter((child) => !told.has(child))
    return [String(pid), ...ours].reduce((sum, each) => sum + ownMs(each), 0)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/** proc_pid_stat(5): utime, stime, cutime and cstime are fields 14 to 17; the name in the second may have spaces. */
function ownMs(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    return (ticks.reduce((sum, each) => sum + Number(each), 0) / ticksPerSecond) * 1_000
  } catch {
    return 0
  }
}
