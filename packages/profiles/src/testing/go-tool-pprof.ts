import { execFileSync, spawnSync } from 'node:child_process'
import { parseTop, type TopRow } from './pprof-top.ts'

/** Whether Go is installed, with its `pprof`. */
export const hasGo = spawnSync('go', ['version']).status === 0

/** Every row of `go tool pprof -top` for one sample type of a file, in the unit of that sample type. */
export function goTop(path: string, sampleTypeIndex: number, unit: string): TopRow[] {
  const options = ['-top', '-filefunctions', '-nodecount=0', '-nodefraction=0', '-symbolize=none']
  const unitName = { nanoseconds: 'ns', bytes: 'B' }[unit] ?? unit
  const text = execFileSync(
    'go',
    ['tool', 'pprof', ...options, `-unit=${unitName}`, `-sample_index=${sampleTypeIndex}`, path],
    { encoding: 'utf8', cwd: '/', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 },
  )
  return parseTop(text)
}
