import { benjaminiHochberg } from '@flamegate/benchmarks/arithmetic'
import type { McpComparison, MetricComparison } from '../compare/comparison.ts'
import { settingTitle, type TunedSetting } from './safe-settings.ts'

/** One setting that was tried against the server as it is; `comparison` is null where it did not run with it. */
export interface TuningTry {
  setting: TunedSetting
  comparison: McpComparison | null
  failure: string | null
}

/**
 * better: surely, all tries taken together, and nothing became worse. trade_off: faster, but something else is worse.
 * failed: the server did not run with it.
 */
export type TryVerdict = 'better' | 'trade_off' | 'worse' | 'same' | 'cannot_tell' | 'failed'

export interface JudgedTry {
  title: string
  verdict: TryVerdict
  /** Of the time of calls, of the operation that changed most surely; null where it did not run. */
  changePercent: number | null
  lowPercent: number | null
  highPercent: number | null
  /** Among all tries (Benjamini & Hochberg). */
  pValue: number | null
  /** What became worse, or why it failed. */
  remarks: string[]
}

export interface McpTuning {
  type: 'mcp_profiler_tuning'
  version: 1
  target: string
  thresholdPercent: number
  tries: JudgedTry[]
  /** What is proposed, which was measured once more against the server as it is; null where nothing is surely better. */
  proposal: { settings: string[]; env: Record<string, string>; confirmation: McpComparison } | null
  /** What was better at first and not when it was measured again. */
  notConfirmed: string[]
  /** 95th percentiles in ms, of the slowest operation; null where it is not known. */
  p95Ms: { before: number | null; after: number | null }
  targetLatencyMs: number | null
  /** Null without a target. */
  isTargetMet: boolean | null
  summary: string
  notes: string[]
}

const CONFIDENCE = 0.98

/** What came of each try, with all of them in view: who tries much finds something by chance. */
export function judgeTries(tries: readonly TuningTry[]): JudgedTry[] {
  const changes = tries.map(({ comparison }) => (comparison === null ? undefined : surestChange(comparison)))
  const adjust = benjaminiHochberg(changes.flatMap((change) => change?.pValue ?? []))
  return tries.map(({ setting, comparison, failure }, at): JudgedTry => {
    const change = changes[at]
    const pValue = change?.pValue == null ? null : adjust(change.pValue)
    return {
      title: settingTitle(setting),
      verdict: comparison === null ? 'failed' : verdictOf(comparison, pValue),
      changePercent: change?.changePercent ?? null,
      lowPercent: change?.lowPercent ?? null,
      highPercent: change?.highPercent ?? null,
      pValue,
      remarks: failure === null ? (comparison?.regressions ?? []) : [failure],
    }
  })
}

/** The best value of each setting that is better, the best setting first. */
export function keptSettings(tries: readonly TuningTry[], judged: readonly JudgedTry[]): TunedSetting[] {
  const better = tries
    .map(({ setting }, at) => ({ setting, judged: judged[at] }))
    .filter((each) => each.judged?.verdict === 'better')
    .toSorted((a, b) => (a.judged?.changePercent ?? 0) - (b.judged?.changePercent ?? 0))
  const settings = new Set<string>()
  return better.flatMap(({ setting }) => {
    if (settings.has(setting.setting)) return []
    settings.add(setting.setting)
    return [setting]
  })
}

/** Whether what was kept is better once more. */
export function isConfirmed({ verdict, regressions }: McpComparison): boolean {
  return verdict === 'faster' && regressions.length === 0
}

/** The 95th percentile of the slowest operation, in ms. */
export function slowestP95Ms({ operations }: McpComparison, side: 'base' | 'head'): number | null {
  const all = operations.flatMap(({ metrics }) =>
    metrics.flatMap((each) => (each.metric === 'p95_ms' ? (each[side] ?? []) : [])),
  )
  return all.length === 0 ? null : Math.max(...all)
}

function verdictOf({ verdict, regressions }: McpComparison, pValue: number | null): TryVerdict {
  if (verdict === 'faster' && pValue !== null && pValue < 1 - CONFIDENCE) {
    return regressions.length === 0 ? 'better' : 'trade_off'
  }
  if (regressions.length > 0) return 'worse'
  return verdict === 'same' ? 'same' : 'cannot_tell'
}

function surestChange({ operations }: McpComparison): MetricComparison | undefined {
  return operations
    .flatMap(({ metrics }) => metrics.filter(({ metric, pValue }) => metric === 'mean_ms' && pValue !== null))
    .toSorted((a, b) => (a.pValue ?? 1) - (b.pValue ?? 1))[0]
}
