import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'
import { performance } from 'node:perf_hooks'
import { hotFunctions } from './hot-functions.ts'
import type { HotFunction } from './hot-functions.ts'

export interface CPUProfilerOptions {
  /** Between two samples of the stack. Default 1 ms. */
  samplingIntervalMs?: number
}

export interface CPUProfile {
  name: string
  /** Milliseconds from the beginning to the end. */
  totalTime: number
  /**
   * Milliseconds of each phase: the span from the mark `<phase>_start` to the mark `<phase>_end`. What happened several times is added
   * up; one that was begun and not ended lasts until the end.
   */
  phases: Record<string, number>
  /** Marks that are no beginning and no end of a phase, or ends of what was not begun: milliseconds since the beginning. */
  marks: { label: string; at: number }[]
  /** The functions that took most time themselves, largest first. */
  hotFunctions: HotFunction[]
  /** As V8 tells it: the content of a `.cpuprofile` file, which the platform and browsers' tools read. */
  profile: Profiler.Profile
}

/** One profile that is being taken. */
export interface RunningCPUProfile {
  /** Also a mark of `perf_hooks`, which `PerformanceObserver`s see. */
  mark: (label: string) => void
  /** Ends it, once; what is asked again is the same profile. */
  end: () => CPUProfile
}

const starts = '_start'
const ends = '_end'

/** Takes CPU profiles of this thread with V8's sampling profiler, and tells the phases that the program marks. */
export class CPUProfiler {
  readonly #samplingIntervalMs: number

  constructor({ samplingIntervalMs = 1 }: CPUProfilerOptions = {}) {
    if (!(samplingIntervalMs > 0)) throw new RangeError('samplingIntervalMs has to be greater than 0.')
    this.#samplingIntervalMs = samplingIntervalMs
  }

  /** Several may run at once; each has its own samples. */
  startProfile(name: string): RunningCPUProfile {
    const session = new Session()
    session.connect()
    const order = (method: 'Profiler.enable' | 'Profiler.start' | 'Profiler.disable') => session.post(method)
    order('Profiler.enable')
    session.post('Profiler.setSamplingInterval', { interval: Math.round(this.#samplingIntervalMs * 1000) })
    order('Profiler.start')
    const from = performance.now()
    const marks: { label: string; at: number }[] = []
    let ended: CPUProfile | undefined
    return {
      mark(label) {
        if (ended !== undefined) return
        marks.push({ label, at: performance.now() - from })
        performance.mark(`${name}:${label}`)
      },
      end() {
        if (ended !== undefined) return ended
        const totalTime = performance.now() - from
        // Sessions of the same thread answer before `post` returns.
        let profile: Profiler.Profile | undefined
        session.post('Profiler.stop', (_error, answer) => (profile = answer?.profile))
        order('Profiler.disable')
        session.disconnect()
        profile ??= { nodes: [], startTime: 0, endTime: 0 }
        ended = {
          name,
          totalTime,
          ...phasesOf(marks, totalTime),
          hotFunctions: hotFunctions([profile]),
          profile,
        }
        return ended
      },
    }
  }
}

function phasesOf(
  all: readonly { label: string; at: number }[],
  totalTime: number,
): Pick<CPUProfile, 'phases' | 'marks'> {
  const phases: Record<string, number> = {}
  const marks: CPUProfile['marks'] = []
  const open = new Map<string, number[]>()
  const add = (phase: string, from: number, to: number) => (phases[phase] = (phases[phase] ?? 0) + to - from)
  for (const mark of all) {
    const { label, at } = mark
    if (label.endsWith(starts)) {
      const phase = label.slice(0, -starts.length)
      open.set(phase, [...(open.get(phase) ?? []), at])
      continue
    }
    const phase = label.endsWith(ends) ? label.slice(0, -ends.length) : undefined
    const from = phase === undefined ? undefined : open.get(phase)?.pop()
    if (phase === undefined || from === undefined) marks.push(mark)
    else add(phase, from, at)
  }
  for (const [phase, begun] of open) for (const from of begun) add(phase, from, totalTime)
  return { phases, marks }
}
