import { median, twoHumps } from '@flamegate/benchmarks/arithmetic'
import { countOf, percentileOf, percentilesOf } from '@flamegate/series'
import { operationTitle } from '../operation-key.ts'
import { histogramOf } from '../report-histogram.ts'
import type { McpOperation, McpReport } from '../report.ts'
import type { Finding, RuleAnswer } from './finding.ts'
import { thresholds } from './thresholds.ts'

/** So many values stand for a histogram. */
const VALUES_MAX = 500

/** Operations that take far longer than the others, or longer than anybody waits. */
export function slowOperation({ operations }: McpReport): RuleAnswer {
  const measured = operations.flatMap((operation) => {
    const [p50Ms, p95Ms] = [percentileMs(operation, 50), percentileMs(operation, 95)]
    // For what it waited because the machine had other work the server is not to blame.
    const { queuedMs } = perCall(operation)
    return p50Ms === null || p95Ms === null
      ? []
      : [{ operation, p50Ms: Math.max(0, p50Ms - queuedMs), p95Ms: Math.max(0, p95Ms - 2 * queuedMs) }]
  })
  if (measured.length === 0) return { notAsked: 'no call was answered' }
  return measured.flatMap(({ operation, p50Ms, p95Ms }): Finding[] => {
    const others = measured.filter((other) => other.operation !== operation).map((other) => other.p50Ms)
    const usualMs = others.length === 0 ? null : median(others)
    const isOutlying =
      usualMs !== null && p50Ms >= thresholds.slowMs && p50Ms >= thresholds.slowTimes * usualMs
    const isLong = p95Ms >= thresholds.longMs
    if (!isOutlying && !isLong) return []
    const title = operationTitle(operation)
    return [
      {
        rule: 'slow_operation',
        type: 'other',
        title: isOutlying
          ? `${title} takes ${number(p50Ms)} ms, the other operations ${number(usualMs)} ms.`
          : `One in twenty calls of ${title} takes ${number(p95Ms)} ms or longer.`,
        subject: title,
        evidence: [
          { name: 'p50', value: p50Ms, unit: 'ms' },
          { name: 'p95', value: p95Ms, unit: 'ms' },
          ...(usualMs === null ? [] : [{ name: 'p50_of_others', value: usualMs, unit: 'ms' }]),
          {
            name: 'threshold',
            value: isOutlying ? thresholds.slowTimes * usualMs : thresholds.longMs,
            unit: 'ms',
          },
          { name: 'calls', value: operation.calls, unit: '' },
        ],
        confidence: operation.calls >= thresholds.callsMin ? 'high' : 'medium',
        priority: isLong ? 'high' : 'medium',
        suggestion: `See where its time goes: mcp-profiler cpu --operations ${operation.name ?? operation.method}; when the processor is idle meanwhile, it waits for something else.`,
      },
    ]
  })
}

/** Calls of one operation that are of two kinds, fast and slow. */
export function bimodalLatency({ operations }: McpReport): RuleAnswer {
  const enough = operations.filter(
    ({ serviceTime }) => countOf(histogramOf(serviceTime)) >= thresholds.callsMin,
  )
  if (enough.length === 0)
    return { notAsked: `fewer than ${thresholds.callsMin} calls of each operation were answered` }
  return enough.flatMap((operation): Finding[] => {
    const humps = twoHumps(valuesMs(operation))
    if (!humps) return []
    const { low, high, lowShare } = humps
    if (high < thresholds.modesTimes * low || high - low < thresholds.modesMs) return []
    const title = operationTitle(operation)
    return [
      {
        rule: 'bimodal_latency',
        type: 'other',
        title: `Calls of ${title} are of two kinds: ${percent(lowShare)} take about ${number(low)} ms, the others ${number(high)} ms.`,
        subject: title,
        evidence: [
          { name: 'lower_mode', value: low, unit: 'ms' },
          { name: 'upper_mode', value: high, unit: 'ms' },
          { name: 'share_of_upper', value: 1 - lowShare, unit: '' },
          { name: 'threshold_times', value: thresholds.modesTimes, unit: '' },
        ],
        confidence: operation.calls >= 4 * thresholds.callsMin ? 'high' : 'medium',
        priority: 'medium',
        suggestion:
          'Find out what the slow ones have in common: other arguments, a cache that misses, a connection that is opened, a lock.',
      },
    ]
  })
}

/** Operations whose time grows faster than what they are given. */
export function growsWithInput({ operations }: McpReport): RuleAnswer {
  const tried = operations.flatMap((operation) =>
    (operation.bySize ?? []).length >= 4 ? [{ operation, sizes: operation.bySize ?? [] }] : [],
  )
  if (tried.length === 0) return { notAsked: 'requests of four sizes were not tried' }
  return tried.flatMap(({ operation, sizes }): Finding[] => {
    const [first, last] = [sizes[0], sizes.at(-1)]
    const exponent = exponentOf(sizes)
    if (!first || !last || exponent === null || exponent < thresholds.growthExponent) return []
    if (last.requestBytes < 4 * first.requestBytes) return []
    if (last.lowerQuartileMs - first.lowerQuartileMs < thresholds.growthMs) return []
    const title = operationTitle(operation)
    return [
      {
        rule: 'grows_with_input',
        type: 'cpu',
        title: `The time of ${title} grows with the power ${number(exponent)} of the size of its input.`,
        subject: title,
        evidence: [
          { name: 'exponent', value: exponent, unit: '' },
          { name: 'threshold_exponent', value: thresholds.growthExponent, unit: '' },
          { name: 'smallest_request', value: first.requestBytes, unit: 'B' },
          { name: 'time_at_smallest', value: first.lowerQuartileMs, unit: 'ms' },
          { name: 'largest_request', value: last.requestBytes, unit: 'B' },
          { name: 'time_at_largest', value: last.lowerQuartileMs, unit: 'ms' },
          { name: 'threshold_growth', value: thresholds.growthMs, unit: 'ms' },
        ],
        confidence:
          Math.min(...sizes.map(({ calls }) => calls)) >= 8 &&
          last.lowerQuartileMs >= 5 * first.lowerQuartileMs
            ? 'high'
            : 'medium',
        priority: exponent >= 1.8 ? 'high' : 'medium',
        suggestion: `Look for a loop inside of a loop over the same input in ${title}: a search in a list where a map or set would do, or text that is put together piece by piece.`,
      },
    ]
  })
}

/**
 * Of what is added to the smallest, so that what each call costs anyway is left out: for time in proportion to size it is 1.
 * The median of the slopes between pairs of the three largest, on a double logarithmic scale: of smaller ones what grows evenly, such as
 * reading the request, hides the rest. Null where the two largest tell of no such growth.
 */
function exponentOf(sizes: NonNullable<McpOperation['bySize']>): number | null {
  const [first, ...rest] = sizes
  if (!first) return null
  const points = rest
    .map(({ requestBytes, lowerQuartileMs }) => ({
      x: requestBytes - first.requestBytes,
      y: lowerQuartileMs - first.lowerQuartileMs,
    }))
    .filter(({ x, y }) => x > 0 && y > 0)
    .map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }))
    .slice(-3)
  const slopes = points.flatMap((one, at) =>
    points.slice(at + 1).flatMap((other) => (other.x > one.x ? [(other.y - one.y) / (other.x - one.x)] : [])),
  )
  const last = slopes.at(-1)
  return last === undefined || last < thresholds.growthExponentOfLargest ? null : median(slopes)
}

/** Operations that make others wait for them. */
export function blockingCall({ interference }: McpReport): RuleAnswer {
  if (interference === undefined || interference.length === 0)
    return { notAsked: 'operations were not called while others ran' }
  const rises = interference.filter(
    ({ aloneMs, togetherMs }) =>
      togetherMs >= thresholds.blockedTimes * aloneMs && togetherMs - aloneMs >= thresholds.blockedMs,
  )
  return [...Map.groupBy(rises, ({ during }) => during)].map(([during, slowed]): Finding => {
    const worst = slowed.reduce((one, other) =>
      other.togetherMs - other.aloneMs > one.togetherMs - one.aloneMs ? other : one,
    )
    return {
      rule: 'blocking_call',
      type: 'cpu',
      title: `While ${during} runs, ${worst.operation} takes ${number(worst.togetherMs)} ms in place of ${number(worst.aloneMs)} ms.`,
      subject: during,
      evidence: [
        { name: 'alone', value: worst.aloneMs, unit: 'ms' },
        { name: 'together', value: worst.togetherMs, unit: 'ms' },
        { name: 'threshold_times', value: thresholds.blockedTimes, unit: '' },
        { name: 'threshold_longer', value: thresholds.blockedMs, unit: 'ms' },
        { name: 'operations_slowed', value: slowed.length, unit: '' },
        { name: 'calls', value: worst.calls, unit: '' },
      ],
      confidence: worst.calls >= 20 ? 'high' : 'medium',
      priority: 'high',
      suggestion: `Let ${during} not hold what all calls need: calls that do not wait in place of …Sync, a worker thread for long work, no lock over a wait.`,
    }
  })
}

/** Answers take long while the processor has nothing to do. */
export function waiting({ operations, resources, load }: McpReport): RuleAnswer {
  const cpu = resources
    .filter(({ atMs }) => atMs > 0 && atMs <= (load?.durationMs ?? 0))
    .map(({ cpuPercent, queuedPercent = 0 }) => cpuPercent + queuedPercent)
  if (cpu.length === 0 || load === null) return { notAsked: 'the processes were not seen under load' }
  const allPercent = median(cpu)
  return operations.flatMap((operation): Finding[] => {
    const p50Ms = percentileMs(operation, 50)
    if (p50Ms === null || p50Ms < thresholds.waitingMs) return []
    const { cpuMs, queuedMs } = perCall(operation)
    // Of all together, one that waits long hides that another one works.
    const cpuPercent = cpuMs === null ? allPercent : (100 * (cpuMs + queuedMs)) / p50Ms
    if (cpuPercent >= thresholds.waitingCpuPercent) return []
    const title = operationTitle(operation)
    return [
      {
        rule: 'waiting',
        type: 'io',
        title: `${title} takes ${number(p50Ms)} ms while the processor is at ${Math.round(cpuPercent)} %: it waits.`,
        subject: title,
        evidence: [
          { name: 'p50', value: p50Ms, unit: 'ms' },
          { name: 'threshold_p50', value: thresholds.waitingMs, unit: 'ms' },
          { name: 'cpu_percent', value: cpuPercent, unit: '%' },
          { name: 'threshold_cpu', value: thresholds.waitingCpuPercent, unit: '%' },
        ],
        confidence: operation.calls >= thresholds.callsMin ? 'high' : 'medium',
        priority: 'medium',
        suggestion:
          'Look what it waits for: a database, another service, a file, a lock, a timer. Ask for several things at once, remember what does not change, keep connections open.',
      },
    ]
  })
}

/** Most of the time is neither the server's nor the tool's. */
export function networkShare({ operations, target }: McpReport): RuleAnswer {
  if (target.transport === 'stdio') return { notAsked: 'there is no network' }
  const told = operations.filter(({ serverTime }) => countOf(histogramOf(serverTime)) > 0)
  if (told.length === 0) return { notAsked: 'the server does not tell its own time (Server-Timing)' }
  return told.flatMap((operation): Finding[] => {
    const wholeMs = percentileOf(histogramOf(operation.serviceTime), 50)
    const ownMs = percentileOf(histogramOf(operation.serverTime), 50)
    if (wholeMs === null || ownMs === null) return []
    const outsideMs = (wholeMs - ownMs) / 1000 - perCall(operation).queuedMs
    const share = outsideMs / (wholeMs / 1000)
    if (share < thresholds.networkShare || outsideMs < thresholds.networkMs) return []
    const title = operationTitle(operation)
    return [
      {
        rule: 'network_share',
        type: 'io',
        title: `${percent(share)} of the time of ${title} is spent on the way to the server and back.`,
        subject: title,
        evidence: [
          { name: 'p50', value: wholeMs / 1000, unit: 'ms' },
          { name: 'p50_in_server', value: ownMs / 1000, unit: 'ms' },
          { name: 'threshold_share', value: thresholds.networkShare, unit: '' },
          { name: 'result_mean', value: operation.resultBytes.mean, unit: 'B' },
        ],
        confidence: 'medium',
        priority: 'medium',
        suggestion:
          'Measure from nearer by, keep connections alive, compress answers; what stands in front of the server may take the time too.',
      },
    ]
  })
}

/**
 * What a call took of the processors, and how long it waited for one, while nothing else was called: null, and nothing, where
 * that was not tried.
 */
function perCall({ byItself = [] }: McpOperation): { cpuMs: number | null; queuedMs: number } {
  const rounds = byItself.filter(({ calls }) => calls > 0)
  const used = rounds.flatMap(({ calls, cpuMs }) => (cpuMs === null ? [] : [cpuMs / calls]))
  const queued = rounds.map(({ calls, queuedMs = 0 }) => queuedMs / calls)
  return {
    cpuMs: used.length === 0 ? null : median(used),
    queuedMs: queued.length === 0 ? 0 : median(queued),
  }
}

function percentileMs({ serviceTime }: McpOperation, place: number): number | null {
  const microseconds = percentileOf(histogramOf(serviceTime), place)
  return microseconds === null ? null : microseconds / 1000
}

function valuesMs({ serviceTime }: McpOperation): number[] {
  const histogram = histogramOf(serviceTime)
  const count = Math.min(VALUES_MAX, countOf(histogram))
  const percents = Array.from({ length: count }, (_, at) => (100 * (at + 0.5)) / count)
  return percentilesOf(histogram, percents).map((value) => (value ?? 0) / 1000)
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
