import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { percentileOf } from '@flamegate/series'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest, type Outcome } from '../testing/run-for-test.ts'
import { serveApi } from '../testing/serve-api.ts'
import { sampleCommand, startSampleServer } from './testing/start-sample-server.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-profiler-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Runs `flamegate mcp …` in a folder of its own. */
async function run(args: readonly string[], cwd?: string): Promise<Outcome> {
  return runForTest(['mcp', ...args], {
    cwd: cwd ?? (await newFolder()),
    env: { ...definedEnv(), FLAMEGATE_TOKEN: '' },
  })
}

function definedEnv(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '' }
}

function reportOf({ out, error, exitCode }: Outcome): McpReport {
  if (exitCode === 2) throw new Error(error)
  return mcpReport.parse(JSON.parse(out))
}

function callsOf({ operations }: McpReport): string[] {
  return operations.map(({ method, name, calls }) => `${method} ${name ?? '-'} ${calls}`)
}

function p50Ms(report: McpReport, name: string): number {
  const { latency } = report.operations.find((each) => each.name === name) ?? {
    latency: { slots: [], counts: [] },
  }
  const { slots, counts } = latency
  return (percentileOf({ slots: Uint16Array.from(slots), counts: Float64Array.from(counts) }, 50) ?? 0) / 1000
}

const sample = ['--', ...sampleCommand]

test('profile --operations --samples calls each tool as often, and keeps the report', async () => {
  const cwd = await newFolder()
  const outcome = await run(
    ['profile', '--operations', 'echo,slow,timed', '--samples', '20', '--label', 'v1', '--json', ...sample],
    cwd,
  )
  const report = reportOf(outcome)
  expect(callsOf(report)).toEqual(['tools/call echo 20', 'tools/call slow 20', 'tools/call timed 20'])
  expect(report.target).toMatchObject({
    name: 'sample-server.ts',
    transport: 'stdio',
    url: null,
    server: { name: 'sample', version: '1.2.3' },
    label: 'v1',
  })
  expect(p50Ms(report, 'slow')).toBeGreaterThan(19)
  expect(p50Ms(report, 'echo')).toBeLessThan(p50Ms(report, 'slow'))
  const timed = report.operations.find(({ name }) => name === 'timed')
  expect(timed?.serverTime.counts).toEqual([20])
  expect(report.connection).toMatchObject({ oauthMs: null, tools: 8 })
  expect(report.connection.initializeMs).toBeGreaterThan(10)
  expect(report.connection.toolsListTokens).toBeGreaterThan(100)
  expect(report.resources.at(-1)?.rssBytes).toBeGreaterThan(20e6)
  expect(report.operations.flatMap(({ failures }) => failures)).toEqual([])

  const kept = (await readdir(path.join(cwd, '.mcp-profiler'))).find((name) => name.endsWith('.json'))
  expect(kept).toMatch(/^\d{8}T\d{6}Z-profile-sample-server\.ts-v1\.json$/)
  const text = await readFile(path.join(cwd, '.mcp-profiler', kept ?? ''), 'utf8')
  expect(mcpReport.parse(JSON.parse(text))).toEqual(report)
})

test('profile without operations calls what only reads, and nothing else', async () => {
  const report = reportOf(await run(['profile', '--duration', '1s', '--json', ...sample]))
  expect(report.operations.map(({ method, name }) => `${method} ${name ?? '-'}`)).toEqual([
    'tools/call echo',
    'tools/call slow',
    'tools/list -',
    'resources/list -',
    'resources/read sample://note',
  ])
  expect(report.operations.flatMap(({ failures }) => failures)).toEqual([])
  expect(report.notes.join('\n')).toMatch(/remove was not called/)
  expect(report.notes.join('\n')).toMatch(/quit was not called/)
})

test('load-test makes so many calls at a time over HTTP, with arguments that were given', async () => {
  const { url } = await startSampleServer()
  const report = reportOf(
    await run([
      'load-test',
      '--mcp',
      url,
      '--concurrent',
      '5',
      '--requests',
      '101',
      '--operations',
      'echo,fails',
      '--json',
      '--arguments',
      '{"echo": [{"text": "one"}, {"text": "two"}]}',
    ]),
  )
  expect(callsOf(report)).toEqual(['tools/call echo 51', 'tools/call fails 50'])
  expect(report.load).toMatchObject({
    model: 'closed',
    concurrent: 5,
    targetRps: null,
    started: 101,
    ended: 101,
  })
  expect(report.load?.errorRate).toBeCloseTo(50 / 101)
  expect(report.operations[1]?.failures).toEqual([
    { kind: 'is_error', code: null, count: 50, message: 'It did not work.' },
  ])
  expect(report.operations[0]?.firstEvent.counts.length).toBeGreaterThan(0)
  // The process behind the port was found.
  expect(report.resources.at(-1)?.processes).toBe(1)
})

test('load-test --rps begins calls at that rate', async () => {
  const report = reportOf(
    await run([
      'load-test',
      '--rps',
      '50',
      '--duration',
      '2s',
      '--ramp-up',
      '1s',
      '--operations',
      'echo',
      '--json',
      ...sample,
    ]),
  )
  // Half of it while the rate grows.
  expect(report.load).toMatchObject({
    model: 'open',
    targetRps: 50,
    rampUpMs: 1000,
    durationMs: 2000,
    started: 75,
  })
})

test('throughput tries several numbers of calls at a time', async () => {
  const report = reportOf(
    await run([
      'throughput',
      '--concurrent',
      '1,4',
      '--duration',
      '2s',
      '--operations',
      'slow',
      '--json',
      ...sample,
    ]),
  )
  expect(report.sweep.map(({ concurrent }) => concurrent)).toEqual([1, 4])
  const [one, four] = report.sweep
  // Each takes 20 ms of waiting: four at a time are nearly four times as many.
  expect(four?.requestsPerSecond).toBeGreaterThan(2 * (one?.requestsPerSecond ?? Infinity))
  expect(report.load?.concurrent).toBe(4)
})

test('start watches under a light load', async () => {
  const report = reportOf(await run(['start', '--duration', '2s', '--rps', '5', '--json', ...sample]))
  expect(report).toMatchObject({ command: 'start', load: { model: 'open', started: 10 } })
  expect(report.resources.length).toBeGreaterThan(1)
})

test('goals that are kept end it with 0, and missed ones with 1 and their names', async () => {
  const args = ['test', '--duration', '1s', '--concurrent', '2', '--operations', 'slow', '--json']
  expect(await run([...args, '--max-latency', '10s', ...sample])).toMatchObject({ exitCode: 0 })
  const missed = await run([...args, '--max-latency', '15ms', '--target-rps', '5000', ...sample])
  expect(missed.exitCode).toBe(1)
  expect(missed.error).toMatch(/Missed: .* answers per second, where 5000 are to be reached\./)
  expect(missed.error).toMatch(
    /Missed: the 95th percentile of the latency is .* ms, where 15 ms are to be kept\./,
  )
  const failing = await run(['test', '--duration', '1s', '--operations', 'fails', '--json', ...sample])
  expect(failing).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('Missed: 100.00 % of the calls failed'),
  })
})

test('of a server that ends while its capacity is looked for, that is told, and no capacity', async () => {
  const asked = ['--operations', 'quit', '--warm-up', '0', '--max-latency', '100ms', '--duration', '1s']
  const { exitCode, error, out } = await run(['capacity', ...asked, ...sample])
  expect([exitCode, out]).toEqual([2, ''])
  expect(error).toContain(
    'The server did not live through 10 calls per second: The server ended with code 3.',
  )
})

test('capacity finds a rate that keeps to the latency, and fails below the one that is needed', async () => {
  const args = [
    'capacity',
    '--operations',
    'echo',
    '--start-rps',
    '20',
    '--max-rps',
    '40',
    '--duration',
    '1s',
    '--json',
  ]
  const kept = await run([...args, '--max-latency', '5s', ...sample])
  const found = JSON.parse(kept.out)
  // On a machine that is busy with other things the search says so, whatever it found.
  expect(found.outcome).toMatch(/^(?:at_least|generator_limited)$/)
  expect(kept.exitCode).toBe(found.capacityRps === null ? 1 : 0)
  const needed = ['capacity', '--operations', 'slow', '--target-rps', '20', '--duration', '1s', '--json']
  const broken = await run([...needed, '--max-latency', '10ms', ...sample])
  expect(broken.exitCode).toBe(1)
  expect(JSON.parse(broken.out)).toMatchObject({
    outcome: expect.stringMatching(/^(?:at_most|generator_limited)$/),
    capacityRps: null,
  })
})

test('regression-check and compare tell reports apart, by file and by label', async () => {
  const cwd = await newFolder()
  const profile = (label: string, ...more: string[]) =>
    run(
      ['profile', '--operations', 'slow', '--samples', '60', '--label', label, '--json', ...more, ...sample],
      cwd,
    )
  await profile('v1', '--output', 'baseline.json')
  const slower = reportOf(await profile('v2'))
  // As on a machine that has nothing else to do.
  const baseline = mcpReport.parse(JSON.parse(await readFile(path.join(cwd, 'baseline.json'), 'utf8')))
  for (const { load } of [baseline, slower]) delete load?.othersCpuShare
  await writeFile(path.join(cwd, 'baseline.json'), JSON.stringify(baseline))
  // The same as it would be of a server that takes half as long again.
  for (const operation of slower.operations) {
    operation.blockMeansMs = operation.blockMeansMs.map((mean) => (mean === null ? null : mean * 1.5))
  }
  await writeFile(path.join(cwd, 'slower.json'), JSON.stringify(slower))
  const check = [
    'regression-check',
    '--baseline',
    'baseline.json',
    '--threshold',
    '10%',
    '--json',
    '--current',
  ]
  expect(await run([...check, 'slower.json'], cwd)).toMatchObject({ exitCode: 1 })
  expect(await run([...check, 'baseline.json'], cwd)).toMatchObject({ exitCode: 0 })
  const compared = await run(
    ['compare', '--baseline', 'v1', '--current', 'v2', '--mcp', 'sample-server.ts', '--json'],
    cwd,
  )
  expect(compared.exitCode).toBe(0)
  expect(JSON.parse(compared.out)).toMatchObject({ base: { label: 'v1' }, head: { label: 'v2' } })
  expect(await run(['compare', '--baseline', 'v1', '--current', 'v9'], cwd)).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('v9 is no file, and no report in .mcp-profiler has that label'),
  })
})

test('reports are written as JSON, markdown and HTML', async () => {
  const cwd = await newFolder()
  for (const [file, beginning] of [
    ['report.md', /^# /],
    ['report.html', /^<!doctype html>/i],
    ['report.json', /^\{/],
  ] as const) {
    const outcome = await run(
      ['profile', '--operations', 'echo', '--samples', '5', '--no-keep', '--output', file, ...sample],
      cwd,
    )
    expect(outcome).toMatchObject({ exitCode: 0, error: expect.stringContaining(`Written to ${file}`) })
    expect(await readFile(path.join(cwd, file), 'utf8')).toMatch(beginning)
    expect(outcome.out).toContain('echo')
  }
  expect(await readdir(cwd)).not.toContain('.mcp-profiler')
})

test('load on another host needs a project that has proved it', async () => {
  const args = ['load-test', '--mcp', 'https://mcp.example.com/mcp']
  expect(await run(args)).toMatchObject({
    exitCode: 2,
    error: expect.stringMatching(/mcp\.example\.com is not this machine, .*flamegate login.*verify_target/),
  })
  const api = await serveApi({
    list_targets: () => ({ targets: [{ ...target, host: 'shop.example.com', is_verified: true }, target] }),
  })
  expect(await runForTest(['mcp', ...args, '--project', 'prj_01'], { url: api.url })).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('It is no verified target of prj_01'),
  })
  expect(api.calls.map(({ operation }) => operation)).toEqual(['list_targets'])
})

const target = {
  id: 'tgt_01',
  project_id: 'prj_01',
  host: 'mcp.example.com',
  is_verified: false,
  method: null,
  verified_at: null,
  checked_at: null,
  failure: null,
  created_at: '2026-11-20T10:00:00.000Z',
}

test.each([
  [['nonsense'], /There is no command nonsense/],
  [['profile'], /Say which server/],
  [['profile', '--operations', 'no-such-tool', ...sample], /no-such-tool cannot be called/],
  [['profile', '--samples', '0', ...sample], /--samples 0 is to be a whole number/],
  [['profile', '--samples', '5', '--duration', '5s', ...sample], /not both/],
  [['load-test', '--rps', '5', '--concurrent', '2', ...sample], /not with --concurrent/],
  [['load-test', '--ramp-up', '5s', ...sample], /give --rps too/],
  [['capacity', ...sample], /--max-latency 100ms/],
  [['profile', '--output', 'report.doc', ...sample], /end its name with/],
  [['profile', '--arguments', '[]', ...sample], /--arguments is to be JSON/],
  [['regression-check', '--current', 'x.json'], /--current and --baseline/],
  [['profile', '--', 'no-such-program'], /ENOENT/],
])('%s is refused with 2', async (args, message) => {
  expect(await run(args)).toMatchObject({ exitCode: 2, error: expect.stringMatching(message) })
})
