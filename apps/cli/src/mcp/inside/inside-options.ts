import type { CommandLine, Option } from '../../arguments/command-line.ts'
import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { latencyMsOf } from '../options.ts'
import { readSettings } from '../settings.ts'
import type { InsideOptions, WantedInside } from './inside.ts'

/** Of commands that look into the server. */
export const insideOptions: readonly Option[] = [
  {
    name: 'inspect',
    value: '<port|url>',
    description: 'The inspector of a Node.js that runs already, such as 9229; found by itself on Linux.',
  },
  {
    name: 'pprof',
    value: '<url>',
    description: 'Where a server in Go serves net/http/pprof, such as http://localhost:6060.',
  },
  {
    name: 'hotpath',
    value: '<port|url>',
    description: 'Where a server in Rust serves what hotpath measures, such as 6770.',
  },
  {
    name: 'profiles',
    value: '<folder>',
    description: 'Write profiles there; in .mcp-profiler, beside the report, when left out.',
  },
]

/** Of commands that take a CPU profile. */
export const samplingOption: Option = {
  name: 'sampling-interval',
  value: '<time>',
  description: 'Between two samples of the CPU profile, such as 1ms; cpu.samplingInterval when left out.',
}

/** Of commands that measure and look inside only where that is asked for, because it costs a little. */
export const insideOption: Option = {
  name: 'inside',
  description:
    'Watch garbage collections, heap and event loop of the server, too, which slows it by some per cent.',
}

export const withInside: WantedInside = { gc: true, eventLoop: true }

/** @throws UsageError */
export function insideOptionsOf(
  line: CommandLine,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Omit<InsideOptions, 'folder'> {
  const { samplingInterval, hotPathThreshold } = readSettings(cwd).configuration.cpu
  const samplingIntervalMs = latencyMsOf(line, 'sampling-interval') ?? samplingInterval
  if (samplingIntervalMs < 0.05 || samplingIntervalMs > 1000) {
    throw new UsageError('--sampling-interval is to be from 0.05ms to 1s.')
  }
  return {
    env,
    samplingIntervalMs,
    hotPathThreshold,
    inspect: line.text('inspect'),
    pprof: line.text('pprof'),
    hotpath: line.text('hotpath'),
  }
}
