import type { CommandLine, Option } from '../../arguments/command-line.ts'
import { UsageError } from '../../usage-error.ts'
import { concurrentMax, countOf, rateOf } from '../options.ts'
import type { McpLoad } from './make-load.ts'

/** Of commands that watch a server for a time while it has something to do. */
export const steadyLoadOptions: readonly Option[] = [
  { name: 'concurrent', value: '<n>', description: 'Calls at a time meanwhile; 2 when left out.' },
  { name: 'rps', value: '<n>', description: 'Calls per second, in place of --concurrent.' },
]

/** @throws UsageError */
export function steadyLoadOf(line: CommandLine, durationMs: number): McpLoad {
  const rps = rateOf(line, 'rps')
  const concurrent = countOf(line, 'concurrent', concurrentMax)
  if (rps === undefined) {
    return { model: 'closed', concurrent: concurrent ?? 2, requests: undefined, durationMs }
  }
  if (concurrent !== undefined) throw new UsageError('Give --rps or --concurrent, not both.')
  return { model: 'open', rps, durationMs, rampUpMs: 0 }
}
