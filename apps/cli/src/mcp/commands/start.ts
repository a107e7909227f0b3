import type { CommandBody } from '../../commands/command.ts'
import { insideOption, insideOptions, withInside } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import { durationMsOf, operationOptions, rateOf, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'

export const start: CommandBody = {
  details:
    'Calls the operations in turns at a low rate and samples what the processes of the server use, until --duration is over or Ctrl-C; then tells what it saw. For a server at a URL of this machine, others may use it meanwhile: their load is in what its processes use.',
  examples: ['mcp-profiler start --mcp my-server --duration 60s'],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    { name: 'duration', value: '<time>', description: 'How long, such as 60s or 5m; 60s when left out.' },
    { name: 'rps', value: '<n>', description: 'Calls per second; 2 when left out.' },
    insideOption,
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const durationMs = durationMsOf(line, 'duration', '60s')
    const rps = rateOf(line, 'rps') ?? 2
    const delivery = deliveryOf(line, terminal)
    const inside = line.flag('inside') === true ? withInside : undefined
    const report = await measuring(context, { command: 'start', isWide: true, inside }, async (each) =>
      each.report(await each.measure('session', { model: 'open', rps, durationMs, rampUpMs: 0 })),
    )
    await deliverReport(report, { line, terminal, delivery })
  },
}
