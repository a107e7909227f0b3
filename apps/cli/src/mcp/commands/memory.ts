import type { CommandBody } from '../../commands/command.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { insideLoadOf, insideLoadOptions } from '../inside/inside-load.ts'
import { insideOptions } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import { operationOptions, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'

export const memory: CommandBody = {
  details:
    'Calls the operations. --heap-analysis samples allocations and tells which functions allocate most, and collects all garbage before and after, so that what the heap keeps can be told from what it has not given back yet. --gc-monitoring tells how often garbage is collected and what share of the time that takes. Without either: both.',
  examples: [
    'mcp-profiler memory --mcp my-server --heap-analysis --gc-monitoring',
    'mcp-profiler memory --operations search --duration 60s -- node server.js',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    ...insideLoadOptions,
    { name: 'heap-analysis', description: 'Growth of the heap, and who allocates.' },
    { name: 'gc-monitoring', description: 'Garbage collections.' },
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const load = insideLoadOf(line)
    const delivery = deliveryOf(line, terminal)
    const isNeither = line.flag('heap-analysis') !== true && line.flag('gc-monitoring') !== true
    const heap = line.flag('heap-analysis') ?? isNeither
    const gc = line.flag('gc-monitoring') ?? isNeither
    const inside = { heap, gc, collections: heap ? ('before-and-after' as const) : ('none' as const) }
    const report = await measuring(context, { command: 'memory', isWide: true, inside }, async (each) =>
      each.report(await each.measure('memory', load)),
    )
    await deliverReport(report, { line, terminal, delivery })
    if (report.inside === null) throw new CouldNotMeasure('The heap was not seen: see the notes.')
  },
}
