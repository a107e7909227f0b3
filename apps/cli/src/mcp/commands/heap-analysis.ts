import { FormatError } from '@flamegate/profiles'
import type { CommandLine } from '../../arguments/command-line.ts'
import type { CommandBody } from '../../commands/command.ts'
import { UsageError } from '../../usage-error.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { heapClassesOf } from '../heap/heap-classes.ts'
import { insideOptions } from '../inside/inside-options.ts'
import { steadyLoadOf, steadyLoadOptions } from '../load/steady-load.ts'
import { measuring } from '../measuring.ts'
import { durationMsOf, operationOptions, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'

/** Of a series whose length nobody said. */
const intervalsOfSeries = 3

export const heapAnalysis: CommandBody = {
  details:
    'Takes a snapshot before and after the load, with --snapshot-interval also each time that it is over. Tells the classes by number, by their own size, and with what they keep; with --compare those that grew, and who keeps what is new. The server stands still while a snapshot is taken, about a second for each 100 MB. Snapshots are kept beside the report, and open in the developer tools of Chrome, too. Ctrl-C ends the load early.',
  examples: [
    'mcp-profiler heap-analysis --mcp my-server --snapshot-interval 5m --compare',
    'mcp-profiler heap-analysis --duration 30s --compare -- node server.js',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    ...steadyLoadOptions,
    {
      name: 'duration',
      value: '<time>',
      description: 'How long, such as 30m; 30s when left out, or three intervals.',
    },
    { name: 'snapshot-interval', value: '<time>', description: 'Between two snapshots, such as 5m.' },
    { name: 'compare', description: 'Tell what grew from the first snapshot to the last, and who keeps it.' },
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const { durationMs, everyMs } = timesOf(line)
    const load = steadyLoadOf(line, durationMs)
    const isCompared = line.flag('compare') === true
    const delivery = deliveryOf(line, terminal)
    const wanted = {
      command: 'heap-analysis',
      isWide: false,
      inside: { snapshots: everyMs === undefined ? ('before-and-after' as const) : { everyMs } },
    }
    const report = await measuring(context, wanted, async (each) => {
      const measured = await each.measure('heap', load)
      const { inside, profiles, notes } = measured
      const files = profiles.filter(({ kind }) => kind === 'heap_snapshot').map(each.fileOf)
      if (inside === null || files.length === 0) {
        throw new CouldNotMeasure(
          `There are no heap snapshots, which only Node.js has: ${notes.join(' ')} mcp-profiler memory-leaks watches any server.`,
        )
      }
      try {
        const classes = await heapClassesOf(files, isCompared)
        return each.report({ ...measured, inside: { ...inside, ...classes } })
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        // They are kept, and other tools may read them.
        const why = `The heap snapshots were taken, but cannot be read here: ${error.message}`
        return each.report({ ...measured, notes: [...notes, why] })
      }
    })
    await deliverReport(report, { line, terminal, delivery })
  },
}

function timesOf(line: CommandLine): { durationMs: number; everyMs: number | undefined } {
  const everyMs =
    line.text('snapshot-interval') === undefined ? undefined : durationMsOf(line, 'snapshot-interval', '')
  const durationMs =
    everyMs !== undefined && line.text('duration') === undefined
      ? intervalsOfSeries * everyMs
      : durationMsOf(line, 'duration', '30s')
  if (everyMs !== undefined && everyMs > durationMs) {
    throw new UsageError('--snapshot-interval is a part of --duration, and cannot be longer.')
  }
  return { durationMs, everyMs }
}
