import type { CommandBody } from '../../commands/command.ts'
import { insideOption, insideOptions, withInside } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import { countOf, durationMsOf, operationOptions, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'
import { UsageError } from '../../usage-error.ts'

const samplesMax = 1_000_000

export const profile: CommandBody = {
  details:
    'Calls the operations in turns for a time, or each of them as often as --samples says, and tells percentiles of their latency, sizes, errors, and what the processes of the server use. Without --operations: lists, a resource, and the tools that say that they only read.',
  examples: [
    'mcp-profiler profile --mcp my-server --duration 60s',
    'mcp-profiler profile --operations "search,fetch" --samples 1000 -- node server.js',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    { name: 'duration', value: '<time>', description: 'How long, such as 60s or 5m; 10s when left out.' },
    { name: 'samples', value: '<n>', description: 'Calls of each operation, in place of a time.' },
    insideOption,
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const samples = countOf(line, 'samples', samplesMax)
    if (samples !== undefined && line.text('duration') !== undefined) {
      throw new UsageError('Give --samples or --duration, not both.')
    }
    const durationMs = durationMsOf(line, 'duration', '10s')
    const delivery = deliveryOf(line, terminal)
    const inside = line.flag('inside') === true ? withInside : undefined
    const report = await measuring(context, { command: 'profile', isWide: true, inside }, async (each) => {
      const end =
        samples === undefined
          ? { requests: undefined, durationMs }
          : { requests: samples * each.operationCount, durationMs: undefined }
      return each.report(await each.measure('profile', { model: 'closed', concurrent: 1, ...end }))
    })
    await deliverReport(report, { line, terminal, delivery })
  },
}
