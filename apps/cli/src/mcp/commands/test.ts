import type { McpReport } from '@flamegate/mcp-profiling'
import type { CommandLine } from '../../arguments/command-line.ts'
import type { CommandBody, CommandContext } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import type { McpLoad } from '../load/make-load.ts'
import { measuring } from '../measuring.ts'
import {
  askedTarget,
  concurrentMax,
  countOf,
  durationMsOf,
  latencyMsOf,
  operationOptions,
  rateOf,
  reportOptions,
  shareOf,
  targetOptions,
} from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'
import { latencyMsAt } from '../report/sweep-entry.ts'
import { findTarget } from '../target/find-target.ts'
import { inTurns } from '../turns/in-turns.ts'
import { measureWithReference } from '../turns/measure-with-reference.ts'

/** Of the rate that is asked for: a rate comes out a little above or below it. */
const rateShareMin = 0.95
/** Of each block of the server, and as much of the reference; of a short test less, so that there are enough of them. */
const referenceBlockMs = { min: 100, max: 1000 }
const referenceBlocks = 30

export const test: CommandBody = {
  details:
    'With --target-rps calls begin at that rate; else --concurrent calls are under way at a time. Ends with 1 when the rate was not reached, the 95th percentile of the latency is above --max-latency, or more calls failed than --max-error-rate, and names which.',
  examples: [
    'mcp-profiler test --mcp my-server --duration 60s --concurrent 5 --output report.json',
    'mcp-profiler test --mcp my-server --duration 60s --target-rps 100 --max-latency 100ms --output report.json',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    { name: 'duration', value: '<time>', description: 'How long, such as 60s; 30s when left out.' },
    { name: 'concurrent', value: '<n>', description: 'Calls at a time; 5 when left out.' },
    { name: 'target-rps', value: '<n>', description: 'The rate that has to be reached, within 5 %.' },
    {
      name: 'max-latency',
      value: '<time>',
      description: 'The 95th percentile has to be within it, such as 100ms.',
    },
    {
      name: 'max-error-rate',
      value: '<share>',
      description: 'Of the calls, such as 1%, which it is when left out.',
    },
    {
      name: 'reference',
      description:
        'Measure in turns with a small server of known work, so that regression-check knows how fast the machine was each time.',
    },
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const goals = goalsOf(line)
    const durationMs = durationMsOf(line, 'duration', '30s')
    const concurrent = countOf(line, 'concurrent', concurrentMax) ?? 5
    const delivery = deliveryOf(line, terminal)
    // Calls at a time that were asked for too are the goal's own way: as many as there must be to reach the rate.
    const load: McpLoad =
      goals.targetRps === undefined || line.text('concurrent') !== undefined
        ? { model: 'closed', concurrent, requests: undefined, durationMs }
        : { model: 'open', rps: goals.targetRps, durationMs, rampUpMs: 0 }
    const report =
      line.flag('reference') === true
        ? await testWithReference(context, load)
        : await measuring(context, { command: 'test', isWide: false }, async (each) =>
            each.report(await each.measure('test', load)),
          )
    await deliverReport(report, { line, terminal, delivery })
    const missed = missedGoals(report, goals)
    for (const each of missed) terminal.writeError(`Missed: ${each}\n`)
    return missed.length === 0 ? 0 : 1
  },
}

async function testWithReference(context: CommandContext, load: McpLoad): Promise<McpReport> {
  const { line, terminal } = context
  const { durationMs = 0 } = load
  if (load.model === 'open') {
    throw new UsageError(
      '--reference is for calls at a time: give --concurrent too, which has to reach the rate.',
    )
  }
  const target = await findTarget(askedTarget(line), terminal)
  return inTurns(context, 'test', async ({ asked, options, requireAllowed, progress: progressOf }) => {
    await requireAllowed(target)
    const progress = progressOf(target.name)
    try {
      return await measureWithReference(
        { target, label: line.text('label'), concurrent: load.concurrent, asked },
        {
          ...options,
          blockMs: Math.min(
            referenceBlockMs.max,
            Math.max(referenceBlockMs.min, durationMs / referenceBlocks),
          ),
          durationMs,
          onProgress: (pair) => progress.say(`pair ${pair} of blocks`),
        },
      )
    } finally {
      progress.end()
    }
  })
}

interface Goals {
  targetRps: number | undefined
  latencyMsMax: number | undefined
  errorRateMax: number
}

function goalsOf(line: CommandLine): Goals {
  return {
    targetRps: rateOf(line, 'target-rps'),
    latencyMsMax: latencyMsOf(line, 'max-latency'),
    errorRateMax: shareOf(line, 'max-error-rate') ?? 0.01,
  }
}

/** What was missed, in numbers. */
function missedGoals(
  { load, operations }: McpReport,
  { targetRps, latencyMsMax, errorRateMax }: Goals,
): string[] {
  const missed: string[] = []
  const rps = load?.requestsPerSecond ?? 0
  const errorRate = load?.errorRate ?? 1
  const p95Ms = latencyMsAt(operations, 95)
  if (targetRps !== undefined && rps < rateShareMin * targetRps) {
    missed.push(`${rps.toFixed(1)} answers per second, where ${targetRps} are to be reached.`)
  }
  if (latencyMsMax !== undefined && (p95Ms === null || p95Ms > latencyMsMax)) {
    const was =
      p95Ms === null ? 'no call was answered' : `the 95th percentile of the latency is ${p95Ms.toFixed(1)} ms`
    missed.push(`${was}, where ${latencyMsMax} ms are to be kept.`)
  }
  if (errorRate > errorRateMax) {
    missed.push(`${(100 * errorRate).toFixed(2)} % of the calls failed, where ${100 * errorRateMax} % may.`)
  }
  return missed
}
