import type { CommandBody } from '../../commands/command.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { gcEventsText, gcPressureText } from '../inside/gc-text.ts'
import { insideLoadOf, insideLoadOptions } from '../inside/inside-load.ts'
import { insideOptions } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import { operationOptions, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'

export const gcMonitor: CommandBody = {
  details:
    'Calls the operations and is told of each collection by the server’s runtime. --gc-events: each one with its moment and pause (up to 10,000). --gc-pressure: the share of the time, and whether that is too much, by the rule gc_pressure. The report has count, pauses and share in any case.',
  examples: ['mcp-profiler gc-monitor --mcp my-server --gc-events --gc-pressure'],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    ...insideLoadOptions,
    { name: 'gc-events', description: 'Each collection, in the order of time.' },
    { name: 'gc-pressure', description: 'The share of the time, with a verdict.' },
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const load = insideLoadOf(line)
    const delivery = deliveryOf(line, terminal)
    const gc = line.flag('gc-events') === true ? ('each' as const) : true
    const wanted = { command: 'gc-monitor', isWide: true, inside: { gc, eventLoop: true } }
    const report = await measuring(context, wanted, async (each) =>
      each.report(await each.measure('garbage collections', load)),
    )
    await deliverReport(report, { line, terminal, delivery })
    const found = report.inside?.gc
    if (found === undefined || found === null)
      throw new CouldNotMeasure('Garbage collections were not seen: see the notes.')
    if (!delivery.isText) return
    if (gc === 'each') terminal.writeOut(`\n${gcEventsText(found)}`)
    if (line.flag('gc-pressure') === true) terminal.writeOut(`\n${gcPressureText(report)}`)
  },
}
