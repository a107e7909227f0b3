import {
  isConfirmed,
  judgeTries,
  keptSettings,
  settingsEnv,
  settingTitle,
  slowestP95Ms,
  type McpReport,
  type McpTuning,
  type TunedSetting,
  type TuningTry,
} from '@flamegate/mcp-profiling'
import { CouldNotMeasure } from '../could-not-measure.ts'
import type { MeasuredInTurns } from '../report/store-report.ts'
import type { StdioTarget } from '../target/mcp-target.ts'
import type { CompareInTurns } from '../turns/compare-in-turns.ts'

export interface TuneOptions {
  compare: CompareInTurns
  /** Of the terminal: what flags are added to. */
  env: Readonly<Record<string, string | undefined>>
  concurrent: number
  thresholdPercent: number
  targetLatencyMs: number | null
  interruption: AbortSignal
}

/**
 * Tries each setting against the server as it is, puts together what is surely better, and measures that once more: what is
 * the best of many by chance is not so again.
 * @returns the report of the server as it is proposed, or else as it is, of the last measurement; undefined where there was none
 */
export async function tuneServer(
  target: StdioTarget,
  candidates: readonly TunedSetting[],
  options: TuneOptions,
): Promise<{ tuning: McpTuning; report: McpReport | undefined }> {
  const { thresholdPercent, targetLatencyMs } = options
  const tries: TuningTry[] = []
  let measured: MeasuredInTurns | undefined
  for (const setting of candidates) {
    const tried = await tryOne(target, setting, options)
    tries.push({ setting, comparison: tried.measured?.comparison ?? null, failure: tried.failure })
    measured = tried.measured ?? measured
  }
  const judged = judgeTries(tries)
  const kept = keptSettings(tries, judged)
  const [best] = kept
  const notConfirmed: string[] = []
  let proposal: McpTuning['proposal'] = null
  // Together first, then the best alone: two that help may hinder each other.
  for (const settings of best === undefined ? [] : kept.length > 1 ? [kept, [best]] : [kept]) {
    measured = await measure(target, settings, options)
    const { comparison: confirmation } = measured
    const titles = settings.map(settingTitle)
    if (isConfirmed(confirmation)) {
      proposal = { settings: titles, env: envOf(target, settings, options), confirmation }
      break
    }
    notConfirmed.push(titles.join(' with '))
  }
  const last = measured?.comparison
  const p95Ms = {
    before: last === undefined ? null : slowestP95Ms(last, 'base'),
    after: last === undefined ? null : slowestP95Ms(last, proposal === null ? 'base' : 'head'),
  }
  const isTargetMet = targetLatencyMs === null || p95Ms.after === null ? null : p95Ms.after <= targetLatencyMs
  const tuning: McpTuning = {
    type: 'mcp_profiler_tuning',
    version: 1,
    target: target.name,
    thresholdPercent,
    tries: judged,
    proposal,
    notConfirmed,
    p95Ms,
    targetLatencyMs,
    isTargetMet,
    summary: summaryOf(proposal?.settings ?? [], p95Ms, targetLatencyMs),
    notes: [
      'Only settings were tried that cannot change what the server does, and variables that were listed.',
    ],
  }
  return { tuning, report: measured?.reports[proposal === null ? 0 : 1] }
}

async function tryOne(
  target: StdioTarget,
  setting: TunedSetting,
  options: TuneOptions,
): Promise<{ measured: MeasuredInTurns | undefined; failure: string | null }> {
  try {
    return { measured: await measure(target, [setting], options), failure: null }
  } catch (error) {
    if (!(error instanceof CouldNotMeasure) || options.interruption.aborted) throw error
    return { measured: undefined, failure: error.message }
  }
}

function measure(
  target: StdioTarget,
  settings: readonly TunedSetting[],
  options: TuneOptions,
): Promise<MeasuredInTurns> {
  const { concurrent, compare } = options
  const label = settings.map(settingTitle).join(', ')
  const tuned = { ...target, env: { ...target.env, ...envOf(target, settings, options) } }
  return compare(
    [
      { target, label: 'as it is', concurrent },
      { target: tuned, label, concurrent },
    ],
    `${target.name}, ${label}`,
  )
}

function envOf(
  target: StdioTarget,
  settings: readonly TunedSetting[],
  { env }: TuneOptions,
): Record<string, string> {
  return settingsEnv(settings, { ...env, ...target.env })
}

function summaryOf(
  settings: readonly string[],
  { before, after }: McpTuning['p95Ms'],
  targetMs: number | null,
): string {
  const what =
    settings.length === 0
      ? 'Nothing that was tried is surely better.'
      : `Surely better: ${settings.join(', ')}.`
  const numbers =
    before === null || after === null
      ? ''
      : settings.length === 0
        ? ` The 95th percentile of the latency is ${before.toFixed(1)} ms`
        : ` The 95th percentile of the latency goes from ${before.toFixed(1)} to ${after.toFixed(1)} ms`
  if (numbers === '') return what
  if (targetMs === null || after === null) return `${what}${numbers}.`
  return `${what}${numbers}, which ${after <= targetMs ? 'keeps to' : 'misses'} the ${targetMs} ms that are wanted.`
}
