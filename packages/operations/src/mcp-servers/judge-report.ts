import { formatAlertValue } from '@flamegate/contract'
import { operationTitle, type McpReport } from '@flamegate/mcp-profiling'
import { meanOf, percentileOf } from '@flamegate/series'
import { liveAlertTypes } from '../live/alert-thresholds-of.ts'
import type { AlertThresholds, JudgedApp, LiveAlertType, NewLiveAlert, WatchedApp } from '../ports/index.ts'
import { latencyOf, usedUnderLoad } from './report-figures.ts'

/** A report held against a threshold; undefined of what it does not tell. */
export interface McpAlertReading {
  /** The operation; empty of all calls, or of the server. */
  of: string
  value: number
  limit: number
  unit: NewLiveAlert['unit']
}

/** An alert ends below this share of its limit, so that a value at the limit does not raise one after the other. */
const calmShare = 0.9

/** Holds a report against each threshold that is on. */
export function readMcpAlerts(
  report: McpReport,
  thresholds: AlertThresholds,
): ReadonlyMap<LiveAlertType, McpAlertReading | { unjudged: string }> {
  return new Map(
    liveAlertTypes.flatMap((type) =>
      thresholds[type] === null ? [] : [[type, readings[type](report, thresholds)] as const],
    ),
  )
}

type Reading = (report: McpReport, thresholds: AlertThresholds) => McpAlertReading | { unjudged: string }

const unseen = {
  unjudged: 'The processes of the server were not seen: it ran on another machine, or there was no load.',
}

const readings: Readonly<Record<LiveAlertType, Reading>> = {
  high_cpu(report, { high_cpu: cpu }) {
    const used = usedUnderLoad(report)
    if (used === undefined) return unseen
    return { of: '', value: used.cpuPercent.mean, limit: cpu?.percent ?? Infinity, unit: 'percent' }
  },

  high_memory(report, { high_memory: memory }) {
    const used = usedUnderLoad(report)
    if (used === undefined) return unseen
    const { max } = used.rssBytes
    const percent = (100 * max) / report.machine.memoryBytes
    const inBytes = { of: '', value: max, limit: memory?.bytes ?? Infinity, unit: 'bytes' as const }
    const inPercent = { of: '', value: percent, limit: memory?.percent ?? Infinity, unit: 'percent' as const }
    return inPercent.value / inPercent.limit > inBytes.value / inBytes.limit ? inPercent : inBytes
  },

  slow_response({ operations }, { slow_response: slow }) {
    const { ms = Infinity, statistic = 'p95', functions = 'any' } = slow ?? {}
    const groups =
      functions === 'all'
        ? [{ of: '', measured: operations }]
        : operations
            .map((operation) => ({ of: operationTitle(operation), measured: [operation] }))
            .filter(({ of }) => functions === 'any' || functions.includes(of))
    const slowest = groups
      .flatMap(({ of, measured }) => {
        const times = latencyOf(measured)
        const value = statistic === 'mean' ? meanOf(times) : percentileOf(times, Number(statistic.slice(1)))
        return value === null ? [] : [{ of, value: 1000 * value, limit: 1e6 * ms, unit: 'ns' as const }]
      })
      .toSorted((a, b) => b.value - a.value)[0]
    return slowest ?? { unjudged: 'None of these operations was answered.' }
  },

  high_error_rate({ load }, { high_error_rate: errors }) {
    if (load === null) return { unjudged: 'No load was made.' }
    return { of: '', value: 100 * load.errorRate, limit: errors?.percent ?? Infinity, unit: 'percent' }
  },
}

/** What comes of a report: alerts that open and end. What it does not tell opens nothing and ends nothing. */
export function judgedOfReport(
  report: McpReport,
  thresholds: AlertThresholds,
  { isOff, lasting }: Pick<WatchedApp, 'isOff' | 'lasting'>,
): Omit<JudgedApp, 'streaks'> {
  const at = new Date(report.startedAt)
  const until = new Date(at.getTime() + report.durationMs)
  const read = readMcpAlerts(report, thresholds)
  const opened: NewLiveAlert[] = []
  const closed: { id: string; until: Date; reason: string }[] = []
  for (const type of liveAlertTypes) {
    const alert = lasting.find((each) => each.type === type)
    const reading = read.get(type)
    if (reading === undefined || isOff) {
      if (alert !== undefined) closed.push({ id: alert.id, until, reason: 'Its threshold is off.' })
      continue
    }
    if ('unjudged' in reading) continue
    const { of, value, limit, unit } = reading
    if (alert === undefined && value > limit) {
      const [is, above] = [formatAlertValue(value, unit), formatAlertValue(limit, unit)]
      const reason = `${what(type, of, thresholds)} is ${is}, above ${above}.`
      opened.push({ type, subject: of, unit, value, crossedLimit: limit, forSeconds: 0, reason, since: at })
    }
    if (alert !== undefined && value < calmShare * limit) {
      const reason = `${formatAlertValue(value, unit)} is well below ${formatAlertValue(limit, unit)} again.`
      closed.push({ id: alert.id, until: at, reason })
    }
  }
  return { opened, closed }
}

function what(type: LiveAlertType, of: string, { slow_response: slow }: AlertThresholds): string {
  return {
    high_cpu: 'Processor time of the server',
    high_memory: 'Memory of the server',
    slow_response: `${slow?.statistic ?? 'p95'} of ${of === '' ? 'all calls' : of}`,
    high_error_rate: 'The share of calls that failed',
  }[type]
}
