import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  mcpProfilerConfiguration,
  mcpReport,
  type McpProfilerConfiguration,
  type McpReport,
} from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { runForTest, type Outcome } from '../testing/run-for-test.ts'
import { judgedValues } from './continuous/report-alerts.ts'
import { notesOnUnwanted, wantedWithin } from './inside/wanted-within.ts'
import type { McpLoad } from './load/make-load.ts'
import { withinSamples } from './load/within-settings.ts'
import { SampledCalls } from './production/sampled-calls.ts'
import { renderedReport } from './report/deliver.ts'
import { readSettings, settingsOf } from './settings.ts'
import { sampleCommand } from './testing/start-sample-server.ts'

async function folderWith(configuration: unknown): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'mcp-profiler.config.json'), JSON.stringify(configuration))
  return folder
}

async function run(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Outcome> {
  return runForTest(['mcp', ...args, '--', ...sampleCommand], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', FLAMEGATE_TOKEN: '', ...env },
  })
}

const profile = ['profile', '--operations', 'echo,slow', '--samples', '10', '--warm-up', '0']

test('a load records what the file says, with the arguments that it has, and tells its steps where that is asked for', async () => {
  const cwd = await folderWith({
    operations: { echo: { arguments: { text: 'ß'.repeat(100) } } },
    profiler: { maxSamples: 7 },
    performance: {
      responseTimeTracking: false,
      throughputMeasurement: false,
      resourceMonitoring: false,
      bottleneckDetection: false,
    },
  })
  const { out, error } = await run([...profile, '--json'], cwd, { MCP_PERFORMANCE_DEBUG: 'true' })
  const report = mcpReport.parse(JSON.parse(out))
  expect(report.load).toMatchObject({ started: 7, perSecond: [] })
  expect(report.load?.peakRequestsPerSecond).toBe(report.load?.requestsPerSecond)
  expect(report.resources).toEqual([])
  const [echo] = report.operations
  expect(echo).toMatchObject({ calls: 4, latency: { counts: [] }, serviceTime: { counts: [] } })
  expect(echo?.blockMeansMs.every((mean) => mean === null)).toBe(true)
  // Two bytes of each letter, as they were given.
  expect(echo?.requestBytes.mean).toBeGreaterThan(200)
  expect(report.notes.join('\n')).toMatch(
    /the times of calls \(performance\.responseTimeTracking\).*performance\.throughputMeasurement.*performance\.resourceMonitoring/,
  )
  expect(error).toMatch(
    /debug \d+\.\d{3} s: the session is open.*\n.*debug .* called are tools\/call echo in 1 ways/,
  )
})

test('the format that the file says is printed, nothing is debugged unasked, and what is switched off measures nothing', async () => {
  const cwd = await folderWith({ profiler: { outputFormat: 'markdown' } })
  const { out, error } = await run(profile, cwd)
  expect(out).toMatch(/^# /)
  expect(error).not.toContain('debug')
  expect((await run([...profile, '--format', 'text'], cwd)).out).not.toMatch(/^# /)
  const off = await folderWith({ profiler: { enabled: false } })
  for (const args of [profile, ['auto-tune'], ['continuous']])
    expect(await run(args, off)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('profiler.enabled is false in mcp-profiler.config.json'),
    })
})

test('cpu has its own interval, and neither flame graph nor call tree, where the file says so; switched off it says why there is none', async () => {
  const load = ['--operations', 'slow', '--duration', '1s', '--json']
  const cwd = await folderWith({ cpu: { samplingInterval: 25, flameGraphs: false, callTrees: false } })
  const report = mcpReport.parse(JSON.parse((await run(['cpu', ...load], cwd)).out))
  expect(report.profiles.map(({ kind }) => kind)).toEqual(['cpu'])
  const taken = z
    .object({ timeDeltas: z.array(z.number()) })
    .parse(JSON.parse(await readFile(path.join(cwd, report.profiles[0]?.path ?? ''), 'utf8')))
  const deltas = taken.timeDeltas.slice(1).toSorted((a, b) => a - b)
  // A sampler may be late, and is not early.
  expect(deltas[Math.floor(deltas.length / 2)]).toBeGreaterThan(20_000)

  const off = await folderWith({ cpu: { enabled: false } })
  const refused = await run(['cpu', ...load], off)
  expect(refused.exitCode).toBe(2)
  expect(refused.out).toContain('Not seen, because the configuration says so: CPU profiles (cpu.enabled).')
})

test.each([
  [{}, { gc: true, collections: 'before-and-after', snapshots: 'before-and-after', heap: false }],
  [{ allocationTracking: true }, { heap: true }],
  [{ gcMonitoring: false }, { gc: false, collections: 'before-and-after' }],
  [{ leakDetection: false }, { gc: true, collections: 'none' }],
  [{ heapSnapshots: false }, { snapshots: 'none' }],
  [
    { enabled: false, allocationTracking: true },
    { gc: false, collections: 'none', snapshots: 'none', heap: false },
  ],
])('memory %j lets be seen %j', (memory, seen) => {
  const { configuration } = settingsOf(JSON.stringify({ memory }))
  const asked = {
    gc: true,
    collections: 'before-and-after',
    snapshots: 'before-and-after',
    heap: false,
  } as const
  const wanted = wantedWithin(asked, configuration)
  expect(wanted).toMatchObject(seen)
  expect(notesOnUnwanted(asked, wanted)).toHaveLength(Object.values(memory).includes(false) ? 1 : 0)
})

test.each<[McpLoad, Partial<McpLoad>]>([
  [{ model: 'closed', concurrent: 5, requests: undefined, durationMs: 9000 }, { requests: 100 }],
  [{ model: 'closed', concurrent: 5, requests: 20, durationMs: undefined }, { requests: 20 }],
  [{ model: 'open', rps: 50, durationMs: 9000, rampUpMs: 0 }, { durationMs: 2000 }],
  [{ model: 'open', rps: 50, durationMs: 9000, rampUpMs: 2000 }, { durationMs: 3000 }],
  [{ model: 'open', rps: 50, durationMs: 9000, rampUpMs: 8000 }, { durationMs: expect.closeTo(5657, 0) }],
])('of a hundred samples %j has no more than %j', (load, bounded) => {
  expect(withinSamples(load, settingsOf('{"profiler": {"maxSamples": 100}}'))).toMatchObject(bounded)
  expect(withinSamples(load, settingsOf('{}'))).toEqual(load)
})

test('in production no more calls are recorded for a report than the file says', () => {
  const calls = new SampledCalls({ samplingRate: 1, maxSamples: 2, intervalMs: 1000 })
  for (let id = 0; id < 5; id++) {
    if (!calls.isSampled()) continue
    calls.began(id, { id, method: 'ping' }, { requestBytes: 1, sentAtMs: performance.now() })
    calls.ended(
      id,
      { result: {}, serverTimeMs: null, failure: null },
      { resultBytes: 1, endedAtMs: performance.now() },
    )
  }
  expect(calls.take()).toMatchObject([{ method: 'ping', calls: 2 }])
  expect(calls.isSampled()).toBe(true)
})

test('alerts have the thresholds of the file', async () => {
  const report: McpReport = mcpReport.parse(
    JSON.parse((await run([...profile, '--json'], await folderWith({}))).out),
  )
  const alerts: McpProfilerConfiguration['alerts'] = mcpProfilerConfiguration.parse({
    alerts: {
      cpuThreshold: 11,
      memoryThreshold: 22,
      responseTimeThreshold: 33,
      errorRateThreshold: 0.44,
    },
  }).alerts
  const values = judgedValues(
    {
      ...report,
      machine: { ...report.machine, cpuCount: 4, memoryBytes: 1000 },
      resources: [200, 600].map((rssBytes) => ({
        atMs: 0,
        cpuPercent: 200,
        rssBytes,
        readBytes: null,
        writeBytes: null,
        processes: 1,
        threads: null,
        openFiles: null,
      })),
    },
    alerts,
  )
  expect(values.map(({ type, value, threshold }) => [type, value, threshold])).toEqual([
    ['high_cpu', 50, 11],
    ['high_memory', 60, 22],
    ['slow_response', expect.any(Number), 33],
    ['high_error_rate', 0, 0.44],
  ])
  expect(values[2]?.value).toBeGreaterThan(19)
  // With the diagnosis there is a score.
  expect(renderedReport(report, true).markdown()).toContain('## Score')
  expect(renderedReport(report, false).markdown()).not.toContain('## Score')
})

test('every key is in the table of what it does', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/mcp-profiler.md'), 'utf8')
  const groups = ['profiler', 'cpu', 'memory', 'performance', 'alerts'] as const
  const { configuration } = settingsOf('{}')
  const keys = groups.flatMap((group) => Object.keys(configuration[group]).map((key) => `${group}.${key}`))
  expect(keys.length).toBeGreaterThan(20)
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  expect(keys.filter((key) => !rows.some((line) => line.includes(`\`${key}\``)))).toEqual([])
})

test('the file may have comments, and faults are told by their keys', async () => {
  const cwd = await folderWith({})
  const file = path.join(cwd, 'mcp-profiler.config.json')
  await writeFile(file, '{ // ours\n "cpu": { "samplingInterval": 5, }, }')
  expect(readSettings(cwd).configuration.cpu.samplingInterval).toBe(5)
  expect([...readSettings(cwd).said]).toEqual(['cpu', 'cpu.samplingInterval'])
  await writeFile(file, '{"cpu": {"samplingIntervall": 5}}')
  expect(() => readSettings(cwd)).toThrow('cpu: samplingIntervall is no setting.')
  await writeFile(file, '{"cpu"')
  expect(() => readSettings(cwd)).toThrow('mcp-profiler.config.json is not what it should be')
})
