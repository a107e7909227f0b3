import {
  capacityHtml,
  capacityMarkdown,
  capacitySearch,
  capacityText,
  type CapacityResult,
} from '@flamegate/mcp-profiling'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import type { MeasuredLoad } from '../load/measure-load.ts'
import { measuring } from '../measuring.ts'
import {
  countOf,
  durationMsOf,
  latencyMsOf,
  operationOptions,
  rateOf,
  reportOptions,
  shareOf,
  targetOptions,
} from '../options.ts'
import { deliveryOf } from '../report/deliver.ts'
import { jsonOf } from '../report/report-files.ts'
import { storeReport } from '../report/store-report.ts'
import { latencyMsAt, sweepEntry } from '../report/sweep-entry.ts'

export const capacity: CommandBody = {
  details:
    'Measures at one rate after the other (open model): up until the latency, the errors or the rate itself are missed, then between the two, and again to be sure. Ends with 1 when --target-rps is not met.',
  examples: ['mcp-profiler capacity --mcp my-server --target-rps 1000 --max-latency 100ms'],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    {
      name: 'target-rps',
      value: '<n>',
      description: 'The rate that is needed: headroom is told against it.',
    },
    {
      name: 'max-latency',
      value: '<time>',
      description: 'The latency to keep to, such as 100ms; has to be given.',
    },
    { name: 'percentile', value: '<n>', description: 'Of the latency: 95 when left out.' },
    {
      name: 'max-error-rate',
      value: '<share>',
      description: 'Of the calls, such as 1%, which it is when left out.',
    },
    { name: 'start-rps', value: '<n>', description: 'Where to begin; 10 when left out.' },
    { name: 'max-rps', value: '<n>', description: 'No more than this is tried; 10000 when left out.' },
    { name: 'duration', value: '<time>', description: 'At each rate; 10s when left out.' },
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const latencyMsMax = latencyMsOf(line, 'max-latency')
    if (latencyMsMax === undefined)
      throw new UsageError('Say which latency is to be kept, such as --max-latency 100ms.')
    const targetRps = rateOf(line, 'target-rps') ?? null
    const percentile = countOf(line, 'percentile', 99) ?? 95
    const options = {
      latencyMsMax,
      targetRps,
      percentile,
      errorRateMax: shareOf(line, 'max-error-rate') ?? 0.01,
      startRps: rateOf(line, 'start-rps') ?? 10,
      rpsMax: rateOf(line, 'max-rps') ?? 10_000,
    }
    const durationMs = durationMsOf(line, 'duration', '10s')
    const delivery = deliveryOf(line, terminal)
    const { result, report } = await measuring(
      context,
      { command: 'capacity', isWide: false },
      async (each) => {
        const search = capacitySearch(options)
        const trials: MeasuredLoad[] = []
        let step = search.next()
        while (!step.done) {
          const { rps } = step.value
          const measured = await each.measure(`${rps.toFixed(0)}/s`, {
            model: 'open',
            rps,
            durationMs,
            rampUpMs: 0,
          })
          if (each.interruption.aborted)
            throw new CouldNotMeasure('It was stopped before the capacity was found.')
          // Who is gone keeps to no rate, and those before would be told as missed.
          const ended = whyEnded(measured)
          if (ended !== undefined)
            throw new CouldNotMeasure(`The server did not live through ${rps} calls per second: ${ended}`)
          trials.push(measured)
          step = search.next({
            requestsPerSecond: measured.load.requestsPerSecond,
            latencyMs: latencyMsAt(measured.operations, percentile),
            errorRate: measured.load.errorRate,
            cpuPercent: sweepEntry(measured).cpuPercent,
            generatorLimited: measured.load.generatorLimited,
          })
        }
        // Details are those of the last rate that was tried.
        return {
          result: step.value,
          report: each.report({ ...trials.at(-1), sweep: trials.map(sweepEntry) }),
        }
      },
    )
    await storeReport(report, { line, terminal, result: { ...result } })
    const rendered = {
      text: () => capacityText(result),
      json: () => jsonOf(result),
      markdown: () => capacityMarkdown(result),
      html: () => capacityHtml(result),
    }
    await delivery.write(rendered)
    delivery.print(rendered)
    return isEnough(result, targetRps) ? 0 : 1
  },
}

function whyEnded({ operations }: MeasuredLoad): string | undefined {
  return operations.flatMap(({ failures }) => failures).find(({ kind }) => kind === 'ended')?.message
}

/** Without a rate that is needed any capacity is enough. */
function isEnough({ capacityRps }: CapacityResult, targetRps: number | null): boolean {
  return targetRps === null ? capacityRps !== null : capacityRps !== null && capacityRps >= targetRps
}
