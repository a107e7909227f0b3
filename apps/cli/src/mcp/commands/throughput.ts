import type { McpReport } from '@flamegate/mcp-profiling'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import type { MeasuredLoad } from '../load/measure-load.ts'
import { measuring } from '../measuring.ts'
import {
  concurrentMax,
  durationMsOf,
  listOf,
  operationOptions,
  reportOptions,
  targetOptions,
} from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'
import { sweepEntry } from '../report/sweep-entry.ts'

export const throughput: CommandBody = {
  details:
    'Keeps that many calls under way at a time. Of several numbers each gets an equal part of the time, and it is told where more calls at a time stop to help; details are then those of the one with most answers.',
  examples: [
    'mcp-profiler throughput --mcp my-server --duration 10m --concurrent 5',
    'mcp-profiler throughput --mcp my-server --duration 60s --concurrent 1,2,4,8,16',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    { name: 'concurrent', value: '<n,…>', description: 'Calls at a time; 5 when left out.' },
    { name: 'duration', value: '<time>', description: 'How long altogether; 30s when left out.' },
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const levels = levelsOf(line.text('concurrent') ?? '5')
    const durationMs = durationMsOf(line, 'duration', '30s') / levels.length
    const delivery = deliveryOf(line, terminal)
    const report = await measuring(context, { command: 'throughput', isWide: false }, async (each) => {
      const measured: MeasuredLoad[] = []
      for (const concurrent of levels) {
        if (each.interruption.aborted) break
        const load = { model: 'closed' as const, concurrent, requests: undefined, durationMs }
        measured.push(await each.measure(`${concurrent} at a time`, load))
      }
      const sweep: McpReport['sweep'] = measured.length > 1 ? measured.map(sweepEntry) : []
      return each.report({ ...bestOf(measured), sweep })
    })
    await deliverReport(report, { line, terminal, delivery })
  },
}

function levelsOf(text: string): number[] {
  const levels = listOf(text).map(Number)
  if (
    levels.length > 0 &&
    levels.every((level) => Number.isInteger(level) && level >= 1 && level <= concurrentMax)
  ) {
    return levels
  }
  throw new UsageError(
    `--concurrent ${text} is to be a whole number, or several with commas between, up to ${concurrentMax}.`,
  )
}

function bestOf(measured: readonly MeasuredLoad[]): MeasuredLoad {
  return measured.reduce((best, each) =>
    each.load.requestsPerSecond > best.load.requestsPerSecond ? each : best,
  )
}
