import { changeInTurns } from '@flamegate/mcp-profiling/judgement'
import { setTimeout as pause } from 'node:timers/promises'
import { BottleneckDetector } from './bottleneck-detector.ts'
import type {
  Bottleneck,
  BottleneckType,
  PerformanceDiagnosis,
  Recommendation,
} from './bottleneck-detector.ts'
import type { CollectOptions } from './collect-performance-data.ts'
import type { PerformanceData } from './performance-data.ts'
import { metricsOf } from './performance-metrics.ts'
import type { Monitored, PerformanceMetrics } from './performance-metrics.ts'

/**
 * A number of the program that may be changed while it runs, and changes nothing of what it does: the size of a pool or of a cache, how
 * much is done at once. Only the program knows what it has of these.
 */
export interface Setting {
  name: string
  /** Bottlenecks that a larger value may widen. */
  helps: readonly BottleneckType[]
  read: () => number
  write: (value: number) => void
  /** No larger value is tried. */
  max: number
}

export interface PerformanceAnalysis extends PerformanceDiagnosis {
  data: PerformanceData
  /** One for each bottleneck. */
  recommendations: Recommendation[]
}

export interface OptimizationPlan {
  steps: { setting: string; from: number; to: number; because: string }[]
  /** What no setting helps with, and has to be done by a person. */
  left: Recommendation[]
}

export interface OptimizationResults {
  applied: { setting: string; from: number; to: number }[]
  /** Steps that did not come to be, and why. */
  refused: { setting: string; reason: string }[]
  left: Recommendation[]
}

/** How long an operation takes with all that was applied, compared with what was before. */
export interface Improvement {
  operation: string
  /** Of the mean time: −20 is a fifth less. */
  changePercent: number
  /** Within which the change is with 98 % confidence. */
  intervalPercent: [number, number]
  verdict: 'better' | 'worse' | 'cannot_tell'
}

export interface OptimizationOutcome {
  /** What is in force now. */
  applied: OptimizationResults['applied']
  improvements: Improvement[]
  recommendations: Recommendation[]
  nextSteps: string[]
}

export interface MeasureOptions {
  /** Milliseconds of each block. Default 1 s. */
  blockMs?: number
  /** Blocks with, and as many without. Default 20; five at least. */
  pairs?: number
}

const confidence = 0.98
const pairsMin = 5
/** To what a setting is changed, times what it is. */
const step = 2

/**
 * Finds what slows a program, changes what may be changed while it runs, and measures whether that helped. It makes no load: others
 * use the program meanwhile. Flags of V8 and variables of Node.js are no settings: once a process runs they do nothing, or nobody knows
 * what.
 */
export class OptimizationEngine {
  readonly #detector = new BottleneckDetector()
  readonly #settings: ReadonlyMap<string, Setting>

  constructor({ settings = [] }: { settings?: readonly Setting[] } = {}) {
    this.#settings = new Map(settings.map((setting) => [setting.name, setting]))
  }

  async analyze(mcp: Monitored, options: CollectOptions = {}): Promise<PerformanceAnalysis> {
    const data = await this.#detector.collectData(mcp, options)
    const diagnosis = this.#detector.diagnose(data)
    return {
      ...diagnosis,
      data,
      recommendations: this.#detector.generateSuggestions(diagnosis.bottlenecks),
    }
  }

  /** Doubles each setting that may help with what was found, as far as it may grow. */
  createOptimizationPlan({ bottlenecks, recommendations }: PerformanceAnalysis): OptimizationPlan {
    const steps: OptimizationPlan['steps'] = []
    const helped = new Set<Bottleneck>()
    for (const { name, helps, read, max } of this.#settings.values()) {
      const from = read()
      const to = Math.min(max, step * from)
      const found = bottlenecks.filter(({ type }) => helps.includes(type))
      if (!(to > from) || found.length === 0) continue
      for (const each of found) helped.add(each)
      steps.push({ setting: name, from, to, because: found.map(({ title }) => title).join(' ') })
    }
    return {
      steps,
      left: recommendations.filter((_, index) => {
        const bottleneck = bottlenecks[index]
        return bottleneck === undefined || !helped.has(bottleneck)
      }),
    }
  }

  /** Only settings that the program gave: nothing else can be known to change no behaviour. */
  applySafeOptimizations({ steps, left }: OptimizationPlan): OptimizationResults {
    const applied: OptimizationResults['applied'] = []
    const refused: OptimizationResults['refused'] = []
    for (const { setting, from, to } of steps) {
      const reason = this.#write(setting, to)
      if (reason === undefined) applied.push({ setting, from, to })
      else refused.push({ setting, reason })
    }
    return { applied, refused, left }
  }

  /**
   * Blocks with and without what was applied, in turns, which goes first changing from pair to pair. What made any operation slower is
   * taken back.
   */
  async measureImprovements(
    mcp: Monitored,
    { applied, refused, left }: OptimizationResults,
    { blockMs = 1000, pairs = 20 }: MeasureOptions = {},
  ): Promise<OptimizationOutcome> {
    if (!(pairs >= pairsMin)) throw new RangeError(`pairs has to be ${pairsMin} or more.`)
    const nextSteps = refused.map(({ setting, reason }) => `${setting} was not changed: ${reason}`)
    if (applied.length === 0) {
      nextSteps.push('No setting was changed, so there is nothing to measure: see the recommendations.')
      return { applied, improvements: [], recommendations: left, nextSteps }
    }
    const improvements = await this.#inTurns(metricsOf(mcp), applied, { blockMs, pairs })
    if (improvements.length === 0) {
      nextSteps.push(
        `No operation was called in ${pairsMin} pairs of blocks or more: measure again while the program is used.`,
      )
    }
    const slower = improvements.filter(({ verdict }) => verdict === 'worse')
    if (slower.length > 0) {
      this.#set(applied, 'from')
      nextSteps.push(
        `Taken back, because ${slower.map(({ operation }) => operation).join(', ')} became slower: ${namesOf(applied)}.`,
      )
      return { applied: [], improvements, recommendations: left, nextSteps }
    }
    nextSteps.push(
      improvements.some(({ verdict }) => verdict === 'better')
        ? `Write what helped into the program's configuration, so that it is kept: ${namesOf(applied)}.`
        : `Nothing says that it helped: take it back, or measure for longer: ${namesOf(applied)}.`,
    )
    return { applied, improvements, recommendations: left, nextSteps }
  }

  async #inTurns(
    metrics: PerformanceMetrics,
    applied: OptimizationResults['applied'],
    { blockMs, pairs }: Required<MeasureOptions>,
  ): Promise<Improvement[]> {
    const blocks = { from: new Map<string, (number | null)[]>(), to: new Map<string, (number | null)[]>() }
    for (let pair = 0; pair < pairs; pair++) {
      const order = pair % 2 === 0 ? (['from', 'to'] as const) : (['to', 'from'] as const)
      for (const side of order) {
        this.#set(applied, side)
        const before = metrics.standings()
        // oxlint-disable-next-line no-await-in-loop -- in turns
        await pause(blockMs)
        for (const [name, last] of metrics.standings()) {
          const calls = last.count - (before.get(name)?.count ?? 0)
          const means = blocks[side].get(name) ?? Array.from({ length: pairs }, () => null)
          means[pair] = calls === 0 ? null : (last.totalMs - (before.get(name)?.totalMs ?? 0)) / calls
          blocks[side].set(name, means)
        }
      }
    }
    this.#set(applied, 'to')
    return [...blocks.from].flatMap(([operation, base]) => {
      const change = changeInTurns(base, blocks.to.get(operation) ?? [], confidence)
      if (change === undefined) return []
      const [least, most] = change.interval
      const verdict = most < 0 ? 'better' : least > 0 ? 'worse' : 'cannot_tell'
      return [
        { operation, changePercent: change.percent, intervalPercent: change.interval, verdict } as const,
      ]
    })
  }

  #set(applied: OptimizationResults['applied'], side: 'from' | 'to'): void {
    for (const each of applied) this.#settings.get(each.setting)?.write(each[side])
  }

  /** @returns why it was not to be */
  #write(name: string, value: number): string | undefined {
    const setting = this.#settings.get(name)
    if (setting === undefined) return 'there is no such setting.'
    try {
      setting.write(value)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    const now = setting.read()
    return now === value ? undefined : `it stayed at ${now}.`
  }
}

function namesOf(applied: OptimizationResults['applied']): string {
  return applied.map(({ setting, from, to }) => `${setting} ${from} → ${to}`).join(', ')
}
