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
 * Tries each setting against the server as it is, and puts together those that are surely better and are so once more: what
 * is the best of many by chance is not so again.
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
  const { confirmed, notConfirmed } = await confirm(target, keptSettings(tries, judged), options)
  measured = confirmed?.measured ?? measured
  const proposal: McpTuning['proposal'] =
    confirmed === undefined
      ? null
      : {
          settings: confirmed.settings.map(settingTitle),
          env: envOf(target, confirmed.settings, options),
          confirmation: confirmed.measured.comparison,
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

/** What is better once more, with what it comes to beside the server as it is. */
interface Confirmed {
  settings: TunedSetting[]
  measured: MeasuredInTurns
}

/**
 * Adds one setting after the other, the best first, to those that were better again: what was better by chance is not taken
 * along by another that is, and neither is what hinders one.
 */
async function confirm(
  target: StdioTarget,
  kept: readonly TunedSetting[],
  options: TuneOptions,
): Promise<{ confirmed: Confirmed | undefined; notConfirmed: string[] }> {
  const settings: TunedSetting[] = []
  const notConfirmed: string[] = []
  let best: Confirmed | undefined
  for (const setting of kept) {
    const measured = await measure(target, [...settings, setting], options, settings)
    if (isConfirmed(measured.comparison)) {
      settings.push(setting)
      best ??= { settings: [setting], measured }
    } else {
      notConfirmed.push(settingTitle(setting))
    }
  }
  if (settings.length < 2) return { confirmed: best, notConfirmed }
  const measured = await measure(target, settings, options)
  return isConfirmed(measured.comparison)
    ? { confirmed: { settings, measured }, notConfirmed }
    : { confirmed: best, notConfirmed: [...notConfirmed, settings.map(settingTitle).join(' with ')] }
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

/** With these settings, against those of `before`: the server as it is where there are none. */
function measure(
  target: StdioTarget,
  settings: readonly TunedSetting[],
  options: TuneOptions,
  before: readonly TunedSetting[] = [],
): Promise<MeasuredInTurns> {
  const { concurrent, compare } = options
  const side = (of: readonly TunedSetting[]) => ({
    target: of.length === 0 ? target : { ...target, env: { ...target.env, ...envOf(target, of, options) } },
    label: of.length === 0 ? 'as it is' : of.map(settingTitle).join(', '),
    concurrent,
  })
  const [base, head] = [side(before), side(settings)]
  return compare([base, head], `${target.name}, ${head.label}`)
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
