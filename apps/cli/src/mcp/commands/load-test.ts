import type { CommandLine } from '../../arguments/command-line.ts'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import type { McpLoad } from '../load/make-load.ts'
import { insideOptions, samplingOption, withInside } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import {
  concurrentMax,
  countOf,
  durationMsOf,
  operationOptions,
  rateOf,
  reportOptions,
  targetOptions,
} from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'

const requestsMax = 100_000_000

export const loadTest: CommandBody = {
  details:
    'With --concurrent each call is followed by the next (closed model). With --rps calls begin at that rate whatever becomes of those before (open model), and latency counts from when a call should have begun, so that waiting is in it.',
  examples: [
    'mcp-profiler load-test --mcp my-server --concurrent 10 --requests 1000',
    'mcp-profiler load-test --mcp my-server --rps 100 --duration 5m --ramp-up 30s',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    { name: 'concurrent', value: '<n>', description: 'Calls at a time; 10 when left out.' },
    {
      name: 'requests',
      value: '<n>',
      description: 'Calls of all operations together; 1000 when no time is given either.',
    },
    { name: 'rps', value: '<n>', description: 'Calls per second, in place of --concurrent.' },
    { name: 'duration', value: '<time>', description: 'How long, such as 60s or 5m.' },
    {
      name: 'ramp-up',
      value: '<time>',
      description: 'The rate grows evenly for so long; part of the duration.',
    },
    {
      name: 'profile',
      description:
        'Take a CPU profile meanwhile, and watch garbage collections, heap and event loop, which slows the server by some per cent.',
    },
    samplingOption,
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const load = loadOf(line)
    const delivery = deliveryOf(line, terminal)
    const inside = line.flag('profile') === true ? { ...withInside, cpu: true } : undefined
    const report = await measuring(context, { command: 'load-test', isWide: false, inside }, async (each) =>
      each.report(await each.measure('load', load)),
    )
    await deliverReport(report, { line, terminal, delivery })
  },
}

/** @throws UsageError */
function loadOf(line: CommandLine): McpLoad {
  const rps = rateOf(line, 'rps')
  const concurrent = countOf(line, 'concurrent', concurrentMax)
  const requests = countOf(line, 'requests', requestsMax)
  if (rps === undefined) {
    if (line.text('ramp-up') !== undefined) throw new UsageError('--ramp-up is for a rate: give --rps too.')
    const durationMs = line.text('duration') === undefined ? undefined : durationMsOf(line, 'duration', '')
    return {
      model: 'closed',
      concurrent: concurrent ?? 10,
      requests: requests ?? (durationMs === undefined ? 1000 : undefined),
      durationMs,
    }
  }
  if (concurrent !== undefined || requests !== undefined) {
    throw new UsageError('--rps goes with --duration and --ramp-up, and not with --concurrent or --requests.')
  }
  const durationMs = durationMsOf(line, 'duration', '10s')
  const rampUpMs = line.text('ramp-up') === undefined ? 0 : durationMsOf(line, 'ramp-up', '')
  if (rampUpMs > durationMs) throw new UsageError('--ramp-up is part of --duration, and cannot be longer.')
  return { model: 'open', rps, durationMs, rampUpMs }
}
