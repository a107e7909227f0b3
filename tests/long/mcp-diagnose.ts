// Whether `mcp-profiler diagnose` names what is wrong with a server, at the right operation, and nothing on one that is well: again
// and again, on whatever machine this is, with whatever else it has to do.
//
//     npm run long -- mcp-diagnose [--runs 10] [--duration 15s]
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { diagnoseServer } from './mcp-diagnose/diagnose-server.ts'
import { diagnosePage, type Series } from './mcp-diagnose/page.ts'
import { judged, planted, type Planted } from './mcp-diagnose/planted.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, duration: { type: 'string', default: '15s' } },
})
const runs = Number(values.runs)
/** The page tells of whole runs. */
const isWhole = runs >= 10
const cases: readonly (readonly Planted[])[] = [[], ...planted.map((each) => [each]), planted]
const series = cases.map((there): Series => ({
  faults: there.map(({ fault }) => fault),
  runs: 0,
  missed: [],
  untrue: [],
}))
const loads: number[] = []

const cwd = await mkdtemp(join(tmpdir(), 'flamegate-mcp-diagnose-'))
try {
  for (let run = 0; run < runs; run++) {
    loads.push(loadavg()[0] ?? 0)
    // All at once: the machine is to have other work.
    await Promise.all(cases.map((there, index) => diagnoseOnce(there, index, run)))
  }
} finally {
  await rm(cwd, { recursive: true, force: true })
}
async function diagnoseOnce(there: readonly Planted[], index: number, run: number): Promise<void> {
  const own = series[index]
  if (own === undefined) return
  // One at a time over HTTP: Node.js opens its inspector, when it is told to, on one port only.
  const transport = run % cases.length === index ? 'http' : 'stdio'
  const diagnosis = await diagnoseServer(own.faults, { transport, duration: values.duration, cwd })
  const { missed, untrue } = judged(diagnosis, there)
  own.runs++
  own.missed.push(...missed)
  own.untrue.push(...untrue)
  const said = [...missed.map((fault) => `MISSED ${fault}`), ...untrue.map((each) => `NOT SO ${each}`)]
  console.log(`${own.faults.join() || 'healthy'}, ${transport}: ${said.join('; ') || 'right'}`)
}

if (series.some(({ missed, untrue }) => missed.length + untrue.length > 0)) process.exitCode = 1
else if (isWhole) {
  const page = diagnosePage({
    duration: values.duration,
    load: { least: Math.min(...loads), most: Math.max(...loads) },
    series,
  })
  await writeFile(join(import.meta.dirname, '../../docs/benchmarks/mcp-diagnose.md'), page)
}
