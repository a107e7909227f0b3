import type { CommandLine, Option } from '../../arguments/command-line.ts'
import type { McpLoad } from '../load/make-load.ts'
import { concurrentMax, countOf, durationMsOf, rateOf } from '../options.ts'
import { UsageError } from '../../usage-error.ts'

/** The load of commands that look into a server: it has to do something meanwhile. */
export const insideLoadOptions: readonly Option[] = [
  { name: 'duration', value: '<time>', description: 'How long, such as 30s; 10s when left out.' },
  { name: 'concurrent', value: '<n>', description: 'Calls at a time meanwhile; 5 when left out.' },
  { name: 'rps', value: '<n>', description: 'Calls per second, in place of --concurrent.' },
]

/** @throws UsageError */
export function insideLoadOf(line: CommandLine): McpLoad {
  const durationMs = durationMsOf(line, 'duration', '10s')
  const concurrent = countOf(line, 'concurrent', concurrentMax)
  const rps = rateOf(line, 'rps')
  if (rps === undefined)
    return { model: 'closed', concurrent: concurrent ?? 5, requests: undefined, durationMs }
  if (concurrent !== undefined) throw new UsageError('Give --rps or --concurrent, not both.')
  return { model: 'open', rps, durationMs, rampUpMs: 0 }
}
