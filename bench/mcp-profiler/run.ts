// mcp-profiler beside autocannon, against one MCP server over HTTP, one after the other on the same core.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { mcpReport } from '../../packages/mcp-profiling/src/index.ts'
import { meanOf, mergeHistograms, percentileOf } from '../../packages/series/src/index.ts'
import { onCore } from '../engine/target.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'work,quick,wait' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
/** The two have to agree within so much. */
const toleranceMax = 0.05

interface Figures {
  requestsPerSecond: number
  meanMs: number
  p50Ms: number
  p97_5Ms: number
  p99Ms: number
  /** Calls by its own count, those to warm up among them. */
  sent: number
}

const repository = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'flamegate-bench-mcp-profiler-'))
const target = spawn('env', [...onCore(0), process.execPath, path.join(import.meta.dirname, 'target.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [line]: Buffer[] = await once(target.stdout, 'data')
  const url = String(line).trim()
  for (const { tool, goal, connections, metrics } of [
    // At full speed, of a server that works for its answers, and of one that does next to nothing, which measures the client
    // as much as the server. Autocannon's latencies are whole milliseconds, and say nothing here.
    { tool: 'work', goal: 1, connections: 10, metrics: ['requestsPerSecond'] as const },
    { tool: 'quick', goal: null, connections: 10, metrics: ['requestsPerSecond'] as const },
    {
      tool: 'wait',
      goal: 1,
      connections: 20,
      metrics: ['requestsPerSecond', 'meanMs', 'p50Ms', 'p97_5Ms', 'p99Ms'] as const,
    },
  ]) {
    if (!values.only.split(',').includes(tool)) continue
    const ours: Figures[] = []
    const theirs: Figures[] = []
    let isEqual = true
    for (let round = 0; round < rounds; round++) {
      const turns: [Figures[], typeof ourFigures][] = [
        [ours, ourFigures],
        [theirs, autocannonFigures],
      ]
      // Who is first takes turns.
      for (const [all, measure] of round % 2 === 0 ? turns : turns.toReversed()) {
        const before = await callsAt(url)
        const figures = await measure(url, tool, connections)
        isEqual &&= (await callsAt(url)) - before === figures.sent
        all.push(figures)
      }
    }
    for (const metric of metrics) {
      const [our, their] = [medianOf(ours, metric), medianOf(theirs, metric)]
      const ratio = our / their
      tell({
        bench: 'mcp-profiler',
        metric: `${tool} ${metric}`,
        peer: 'autocannon',
        ours: our,
        theirs: their,
        ratio,
        goal,
        met: goal === null ? null : Math.abs(ratio - goal) <= toleranceMax,
        equal: isEqual,
      })
    }
  }
} finally {
  target.kill()
  rmSync(folder, { recursive: true })
}

async function callsAt(url: string): Promise<number> {
  return Number(await (await fetch(`${url}/calls`)).text())
}

async function ourFigures(url: string, tool: string, connections: number): Promise<Figures> {
  const warmUp = 10
  const { stdout } = await promisify(execFile)(
    'env',
    [
      ...onCore(1),
      process.execPath,
      path.join(repository, 'apps/cli/src/mcp-profiler.ts'),
      'load-test',
      '--mcp',
      `${url}/mcp`,
      '--operations',
      tool,
      '--concurrent',
      String(connections),
      '--duration',
      `${seconds}s`,
      '--warm-up',
      String(warmUp),
      '--json',
      '--no-keep',
    ],
    { cwd: folder, maxBuffer: 1e9 },
  )
  const { load, operations } = mcpReport.parse(JSON.parse(stdout))
  const latency = mergeHistograms(
    operations.map((each) => ({
      slots: Uint16Array.from(each.latency.slots),
      counts: Float64Array.from(each.latency.counts),
    })),
  )
  const at = (percentile: number) => (percentileOf(latency, percentile) ?? NaN) / 1000
  return {
    requestsPerSecond: load?.requestsPerSecond ?? NaN,
    meanMs: (meanOf(latency) ?? NaN) / 1000,
    p50Ms: at(50),
    p97_5Ms: at(97.5),
    p99Ms: at(99),
    sent: (load?.started ?? NaN) + warmUp,
  }
}

async function autocannonFigures(url: string, tool: string, connections: number): Promise<Figures> {
  const body = {
    jsonrpc: '2.0',
    id: 1_000_000_000,
    method: 'tools/call',
    params: { name: tool, arguments: {} },
  }
  const { stdout } = await promisify(execFile)(
    'env',
    [
      ...onCore(1),
      process.execPath,
      fileURLToPath(import.meta.resolve('autocannon')),
      '--json',
      '--connections',
      String(connections),
      '--duration',
      String(seconds),
      '--method',
      'POST',

      '--headers',
      'content-type=application/json',
      '--headers',
      'accept=application/json, text/event-stream',
      '--body',
      JSON.stringify(body),
      `${url}/mcp`,
    ],
    { maxBuffer: 1e9 },
  )
  const { requests, latency } = JSON.parse(stdout)
  return {
    requestsPerSecond: requests.average,
    meanMs: latency.mean,
    p50Ms: latency.p50,
    p97_5Ms: latency.p97_5,
    p99Ms: latency.p99,
    sent: requests.sent,
  }
}

function medianOf(figures: readonly Figures[], metric: keyof Figures): number {
  const sorted = figures.map((each) => each[metric]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

function tell(
  row: Record<string, unknown> & { metric: string; ours: number; theirs: number; ratio: number },
): void {
  if (values.json) console.log(JSON.stringify(row))
  else {
    const { metric, ours, theirs, ratio } = row
    console.log(
      `${metric.padEnd(24)} ours ${ours.toFixed(2).padStart(10)}  autocannon ${theirs.toFixed(2).padStart(10)}  ratio ${ratio.toFixed(3)}${row['met'] !== false ? '' : '  NOT within 5 %'}${row['equal'] === true ? '' : '  (counts differ from the target’s)'}`,
    )
  }
}
