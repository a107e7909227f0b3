import { median } from '@flamegate/benchmarks/arithmetic'
import type { McpReport } from '../report.ts'
import type { Finding, RuleAnswer } from './finding.ts'
import { starvedOf } from './starved.ts'
import { thresholds } from './thresholds.ts'

/** What takes the time of a CPU profile while nobody is at work. */
const idle = /^\(?(idle|program|root|garbage collector)\)?$/i

/** Functions in whose own code much of the processor's time is spent. */
export function hotFunction({ inside, resources, load }: McpReport): RuleAnswer {
  if (inside === null || inside.hotFunctions.length === 0)
    return { notAsked: 'no CPU profile was taken (mcp-profiler cpu)' }
  const busyPercent = middleOf(resources.map(({ cpuPercent }) => cpuPercent))
  // What is hot in a server that is idle costs nobody anything.
  if (busyPercent !== null && busyPercent < 20) return []
  const calls = load?.ended ?? 0
  const awake = processorShareOfSamples(inside.hotFunctions, resources, load?.durationMs)
  return inside.hotFunctions
    .filter(({ name, selfShare }) => selfShare >= thresholds.hotFunctionShare && !idle.test(name))
    .filter(({ selfMs }) => calls === 0 || (awake * selfMs) / calls >= thresholds.hotFunctionMsPerCall)
    .map(({ name, place, selfShare, selfMs }): Finding => ({
      rule: 'hot_function',
      type: 'cpu',
      title: `${name} takes ${percent(selfShare)} of the processor's time by itself.`,
      subject: place === '' ? name : `${name} (${place})`,
      evidence: [
        { name: 'self_share', value: selfShare, unit: '' },
        { name: 'threshold', value: thresholds.hotFunctionShare, unit: '' },
        { name: 'self_time', value: selfMs, unit: 'ms' },
        ...(calls === 0
          ? []
          : [
              { name: 'self_time_per_call', value: (awake * selfMs) / calls, unit: 'ms' },
              { name: 'threshold_per_call', value: thresholds.hotFunctionMsPerCall, unit: 'ms' },
            ]),
      ],
      confidence: selfMs >= 200 && awake > 0.5 ? 'high' : 'medium',
      priority: selfShare >= 2 * thresholds.hotFunctionShare ? 'high' : 'medium',
      suggestion: `Look at ${name} in the flame graph: do its work less often (remember results, do it once for many), or with another algorithm.`,
    }))
}

/**
 * V8 takes samples by the clock. On a machine with other work a process is interrupted above all where it wakes its client,
 * in the middle of writing, and what it waits there for a processor looks like work: this share of the samples was work.
 */
function processorShareOfSamples(
  hotFunctions: NonNullable<McpReport['inside']>['hotFunctions'],
  resources: McpReport['resources'],
  durationMs: number | undefined,
): number {
  const [first] = hotFunctions
  if (first === undefined || first.selfShare === 0 || resources.length === 0 || durationMs === undefined)
    return 1
  const sampledMs = first.selfMs / first.selfShare
  const cpuPercent = resources.reduce((sum, sample) => sum + sample.cpuPercent, 0) / resources.length
  return Math.min(1, ((cpuPercent / 100) * durationMs) / sampledMs)
}

/** Something keeps the event loop, so that every other call waits. */
export function eventLoopBlocked({ inside, resources }: McpReport): RuleAnswer {
  const delay = inside?.eventLoopDelay ?? null
  if (delay === null) return { notAsked: 'the event loop was not watched (Node.js only)' }
  const { control = { p99Ms: 0, maxMs: 0 } } = delay
  const p99Ms = Math.max(thresholds.eventLoopP99Ms, thresholds.eventLoopTimes * control.p99Ms)
  const maxMs = Math.max(thresholds.eventLoopMaxMs, thresholds.eventLoopTimes * control.maxMs)
  const isOften = delay.p99Ms >= p99Ms
  // That one delay is long proves nothing of a server that others keep from the processor.
  if (!isOften && (starvedOf(resources) !== null || delay.maxMs < maxMs)) return []
  return [
    {
      rule: 'event_loop_blocked',
      type: 'cpu',
      title: `The event loop was blocked for up to ${milliseconds(delay.maxMs)}: no other call is answered meanwhile.`,
      subject: null,
      evidence: [
        { name: 'delay_p99', value: delay.p99Ms, unit: 'ms' },
        { name: 'threshold_p99', value: p99Ms, unit: 'ms' },
        { name: 'delay_max', value: delay.maxMs, unit: 'ms' },
        { name: 'threshold_max', value: maxMs, unit: 'ms' },
        { name: 'delay_p99_of_what_measured', value: control.p99Ms, unit: 'ms' },
      ],
      confidence: isOften ? 'high' : 'medium',
      priority: isOften ? 'high' : 'medium',
      suggestion:
        'Use calls that do not wait (no …Sync), cut long work into pieces, or give it to a worker thread.',
    },
  ]
}

/** The processor is the limit. */
export function processorSaturated({ resources, machine, load, inside }: McpReport): RuleAnswer {
  const cpuPercent = middleOf(
    resources
      .filter(({ atMs }) => atMs > 0 && atMs <= (load?.durationMs ?? Infinity))
      .map((sample) => sample.cpuPercent),
  )
  if (cpuPercent === null || load === null) return { notAsked: 'the processes were not seen under load' }
  if (load.model === 'closed')
    return { notAsked: 'without a rate to keep, any server is driven to its limit (load-test --rps)' }
  // JavaScript and Python run on one processor, whatever there is.
  const isOneThread = inside?.runtime === 'node' || inside?.runtime === 'python'
  const limitPercent = 100 * (isOneThread ? 1 : machine.cpuCount)
  if (cpuPercent < thresholds.saturatedShare * limitPercent) return []
  return [
    {
      rule: 'processor_saturated',
      type: 'cpu',
      title: `The server used ${Math.round(cpuPercent)} % of ${isOneThread ? 'one processor, which is all that one thread can' : `${machine.cpuCount} processors`}.`,
      subject: null,
      evidence: [
        { name: 'cpu_percent', value: cpuPercent, unit: '%' },
        { name: 'threshold', value: thresholds.saturatedShare * limitPercent, unit: '%' },
        { name: 'requests_per_second', value: load.requestsPerSecond, unit: '1/s' },
      ],
      confidence: isOneThread ? 'high' : 'medium',
      priority: 'high',
      suggestion: 'Take a CPU profile (mcp-profiler cpu) to see on what; beyond that run several processes.',
    },
  ]
}

/** Much of the time goes into collecting garbage, or one collection stops everything for long. */
export function gcPressure({ inside, resources }: McpReport): RuleAnswer {
  const gc = inside?.gc ?? null
  if (gc === null) return { notAsked: 'garbage collections were not watched (mcp-profiler gc-monitor)' }
  const isOften = gc.share >= thresholds.gcShare
  if (!isOften && (starvedOf(resources) !== null || gc.maxMs < thresholds.gcPauseMs)) return []
  return [
    {
      rule: 'gc_pressure',
      type: 'memory',
      title: isOften
        ? `${percent(gc.share)} of the time went into garbage collections.`
        : `A garbage collection stopped the server for ${milliseconds(gc.maxMs)}.`,
      subject: null,
      evidence: [
        { name: 'gc_share', value: gc.share, unit: '' },
        { name: 'threshold_share', value: thresholds.gcShare, unit: '' },
        { name: 'gc_pause_max', value: gc.maxMs, unit: 'ms' },
        { name: 'threshold_pause', value: thresholds.gcPauseMs, unit: 'ms' },
        { name: 'gc_count', value: gc.count, unit: '' },
      ],
      confidence: gc.count >= 10 ? 'high' : 'medium',
      priority: isOften ? 'high' : 'medium',
      suggestion:
        'Make less garbage for each call (mcp-profiler memory shows where), keep less alive, or allow a larger heap.',
    },
  ]
}

function middleOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values)
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}

function milliseconds(value: number): string {
  return `${Number(value.toPrecision(3))} ms`
}
