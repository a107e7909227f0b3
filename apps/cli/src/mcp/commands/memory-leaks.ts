import { formatBytes } from '@flamegate/contract/quantity'
import { memoryGrowth, type MemoryGrowth } from '@flamegate/mcp-profiling'
import type { CommandBody } from '../../commands/command.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { insideOptions } from '../inside/inside-options.ts'
import { steadyLoadOf, steadyLoadOptions } from '../load/steady-load.ts'
import { measuring } from '../measuring.ts'
import { bytesOf, durationMsOf, operationOptions, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'

/** Garbage is collected so often in the whole time, but not more often, nor more seldom, than this. */
const collectionsWanted = 30
const collectEveryMs = { least: 500, most: 60_000 } as const
const defaultThresholdBytes = 10e6

export const memoryLeaks: CommandBody = {
  details:
    'Of Node.js and Python what is in use after garbage collections counts, and it is told by which functions what is kept was allocated; of others the resident memory. Ends with 1 when memory grew by more than --threshold, rises more clearly than chance would have it, and still rises in the last third of the time, as a cache that is full does not. Ctrl-C ends the load early.',
  examples: ['mcp-profiler memory-leaks --mcp my-server --duration 30m --threshold 10MB'],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    ...steadyLoadOptions,
    { name: 'duration', value: '<time>', description: 'How long, such as 30m; 60s when left out.' },
    {
      name: 'threshold',
      value: '<size>',
      description: 'Growth by more than this is a leak, such as 10MB, which it is when left out.',
    },
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const durationMs = durationMsOf(line, 'duration', '60s')
    const thresholdBytes = bytesOf(line, 'threshold') ?? defaultThresholdBytes
    const load = steadyLoadOf(line, durationMs)
    const delivery = deliveryOf(line, terminal)
    const everyMs = Math.min(
      collectEveryMs.most,
      Math.max(collectEveryMs.least, durationMs / collectionsWanted),
    )
    const wanted = {
      command: 'memory-leaks',
      isWide: false,
      inside: { heap: 'kept' as const, collections: { everyMs } },
    }
    const report = await measuring(context, wanted, async (each) =>
      each.report(await each.measure('memory', load)),
    )
    await deliverReport(report, { line, terminal, delivery })
    const growth = memoryGrowth(report)
    if (growth === undefined) {
      throw new CouldNotMeasure(
        'Memory was seen too seldom to tell whether it grows: take longer, or a server on this machine.',
      )
    }
    const isLeak = growth.isRising && growth.growthBytes > thresholdBytes
    terminal.writeError(
      `${isLeak ? 'It leaks' : 'No leak'}: ${wordsOf(growth)}, where ${line.text('threshold') ?? '10MB'} may be.\n`,
    )
    return isLeak ? 1 : 0
  },
}

function wordsOf({
  of,
  samples,
  growthBytes,
  bytesPerHour,
  bytesPerCall,
  pValue,
  isRising,
}: MemoryGrowth): string {
  const what = of === 'heap_after_gc' ? 'the heap after garbage collections' : 'resident memory'
  const perCall = bytesPerCall === null ? '' : `, ${signed(bytesPerCall)} per call`
  const trend = isRising ? 'it still rises' : 'it does not keep rising'
  return `${what} changed by ${signed(growthBytes)} (${signed(bytesPerHour)} per hour${perCall}; ${samples} samples, p ${pValue.toPrecision(2)}), and ${trend}`
}

function signed(bytes: number): string {
  return `${bytes < 0 ? '−' : '+'}${formatBytes(Math.abs(Math.round(bytes)))}`
}
