import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest, type Outcome } from '../../testing/run-for-test.ts'
import { listeningPorts } from '../load/listening-process.ts'

const program = path.join(import.meta.dirname, '..', 'testing', 'busy-server.ts')
const command = [process.execPath, program]
const env = { PATH: process.env['PATH'] ?? '', FLAMEGATE_TOKEN: '' }

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-inside-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

function run(args: readonly string[], cwd: string): Promise<Outcome> {
  return runForTest(['mcp', ...args], { cwd, env })
}

function reportOf({ out, error, exitCode }: Outcome): McpReport {
  if (exitCode !== 0) throw new Error(error)
  return mcpReport.parse(JSON.parse(out))
}

test('cpu finds the hot function of the process that speaks MCP, and not of what started it', async () => {
  const cwd = await newFolder()
  // As npx does.
  const start = `process.stdin.on('error', () => {});
    require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], { stdio: 'inherit' })`
  const report = reportOf(
    await run(
      [
        'cpu',
        '--operations',
        'compute',
        '--duration',
        '2s',
        '--sampling-interval',
        '1ms',
        '--flame-graph',
        '--call-tree',
        '--json',
        '--',
        process.execPath,
        '-e',
        start,
      ],
      cwd,
    ),
  )
  const code = await readFile(program, 'utf8')
  const line = code.slice(0, code.indexOf('function compareDigits')).split('\n').length
  const [hottest] = report.inside?.hotFunctions ?? []
  expect(hottest).toMatchObject({
    name: 'compareDigits',
    place: expect.stringMatching(new RegExp(`busy-server\\.ts:${line}$`)),
  })
  expect(hottest?.selfShare).toBeGreaterThan(0.5)
  expect(hottest?.totalShare).toBeGreaterThanOrEqual(hottest?.selfShare ?? 1)
  expect(report.inside?.hotPaths?.[0]).toMatchObject({ share: expect.closeTo(hottest?.selfShare ?? 0, 1) })
  expect(report.inside?.hotPaths?.[0]?.functions.at(-1)).toBe('compareDigits')
  expect(report.notes.join('\n')).toMatch(/process \d+, busy-server\.ts in Node\.js v/)
  expect(report.profiles.map(({ kind, path: file }) => `${kind} ${path.basename(file)}`)).toEqual([
    'cpu cpu.cpuprofile',
    'other flame.svg',
    'other call-tree.txt',
  ])
  const [cpuProfile = '', flameGraph = '', callTree = ''] = await Promise.all(
    report.profiles.map(({ path: file }) => readFile(path.join(cwd, file), 'utf8')),
  )
  expect(JSON.parse(cpuProfile).samples.length).toBeGreaterThan(100)
  expect(flameGraph).toMatch(/^<\?xml[\s\S]*compareDigits/)
  expect(callTree).toMatch(/\d %.* m?s +compareDigits {2}\(.*busy-server\.ts\)/)
})

test.runIf(process.platform === 'linux')(
  'memory tells who allocates in a server that runs, which opens its inspector and closes it again',
  async () => {
    // Of the inspector that SIGUSR1 opens: others on this machine have the usual port.
    const child = spawn(process.execPath, ['--inspect-port=0', program, '--port'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill())
    const [line]: unknown[] = await once(child.stdout, 'data')
    const args = [
      '--mcp',
      String(line).trim(),
      '--operations',
      'garbage',
      '--duration',
      '1s',
      '--json',
      '--no-keep',
    ]
    const report = reportOf(await run(['memory', ...args], await newFolder()))
    const { allocations = [], heap, gc } = report.inside ?? {}
    expect(allocations[0]).toMatchObject({ name: 'makeGarbage' })
    // Each call makes 20,000 objects of 32 bytes or more.
    expect(allocations[0]?.bytes).toBeGreaterThan(640_000 * (report.load?.ended ?? Infinity))
    expect(heap?.filter(({ isAfterGc }) => isAfterGc)).toHaveLength(2)
    expect(gc?.byKind['minor']?.count).toBeGreaterThan(0)
    // Collections that were asked for are not the program's.
    expect(gc?.byKind['major']?.count ?? 0).toBeLessThan(2)
    expect(report.profiles).toEqual([])
    await expect.poll(() => listeningPorts(child.pid ?? 0)).toHaveLength(1)
    expect(child.exitCode).toBeNull()
  },
)

test('gc-monitor tells each collection, the share of the time, and marks of the program', async () => {
  const cwd = await newFolder()
  const args = [
    '--operations',
    'garbage,compute',
    '--duration',
    '1s',
    '--gc-events',
    '--output',
    'report.json',
  ]
  const { out, exitCode } = await run(['gc-monitor', ...args, '--gc-pressure', '--', ...command], cwd)
  expect(exitCode).toBe(0)
  const { inside, load, operations } = mcpReport.parse(
    JSON.parse(await readFile(path.join(cwd, 'report.json'), 'utf8')),
  )
  const { events = [], count, totalMs = 0, share } = inside?.gc ?? {}
  expect(events.length).toBeGreaterThan(0)
  expect(events).toHaveLength(count ?? 0)
  expect(events.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBeCloseTo(totalMs)
  // By the clock of who measures: each lies within the load, or what was under way at its end.
  for (const { atMs } of events) {
    expect(atMs).toBeGreaterThan(-1000)
    expect(atMs).toBeLessThan((load?.durationMs ?? 0) + 1000)
  }
  expect(
    out.match(/^ +-?\d+\.\d{3} +\d+\.\d{3} {2}(?:minor|major|incremental|weak_callbacks)$/gm),
  ).toHaveLength(count ?? 0)
  expect(out).toContain(`${(100 * (share ?? 0)).toFixed(2)} % of the time went into garbage collections.`)
  expect(out).toMatch(
    /^Delay of the event loop\n.*\n +\d[\s\S]*^Marks and measures of the program.*\n.*\n +compute /m,
  )
  const measure = inside?.measures?.find(({ name }) => name === 'compute')
  expect(measure?.count).toBe(operations.find(({ name }) => name === 'compute')?.calls)
  expect(measure?.totalMs).toBeGreaterThan(0)
  expect(inside?.eventLoopDelay?.maxMs).toBeGreaterThan(0)
})

test('load-test --profile profiles beside the load, also of a server that ends meanwhile', async () => {
  const cwd = await newFolder()
  const args = ['load-test', '--profile', '--json']
  const report = reportOf(
    await run([...args, '--operations', 'compute', '--requests', '100', '--', ...command], cwd),
  )
  expect(report.load?.ended).toBe(100)
  expect(report.inside).toMatchObject({ runtime: 'node', gc: { share: expect.any(Number) } })
  expect(report.profiles).toMatchObject([{ kind: 'cpu', path: expect.stringMatching(/^\.mcp-profiler/) }])
  // A process that ends would wait for who looks into it.
  const sample = path.join(import.meta.dirname, '..', 'testing', 'sample-server.ts')
  const quits = ['--operations', 'quit', '--warm-up', '0', '--requests', '1']
  const ended = reportOf(await run([...args, ...quits, '--', process.execPath, sample], cwd))
  expect(ended.operations[0]?.failures).toMatchObject([{ kind: 'ended', count: 1 }])
  expect(ended.inside).toBeNull()
})

test('what cannot be looked into says so, and fails no load', async () => {
  const cwd = await newFolder()
  const hidden = ['--', 'env', '-u', 'NODE_OPTIONS', ...command]
  const args = ['--operations', 'compute', '--duration', '1s']
  const blind = reportOf(await run(['load-test', '--profile', '--json', ...args, ...hidden], cwd))
  expect(blind.load?.ended).toBeGreaterThan(0)
  expect(blind.inside).toBeNull()
  expect(blind.notes.join('\n')).toMatch(/inside of the server was not seen: .*no inspector/)
  expect(await run(['cpu', ...args, ...hidden], cwd)).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('No CPU profile'),
  })
})

test.each([
  ['profile', '--samples', '20'],
  ['start', '--duration', '1s'],
])('%s looks inside only when asked', async (...args) => {
  const cwd = await newFolder()
  const asked = [...args, '--operations', 'garbage', '--json']
  const watched = reportOf(await run([...asked, '--inside', '--', ...command], cwd))
  expect(watched.inside).toMatchObject({ runtime: 'node', gc: {}, eventLoopDelay: {}, hotFunctions: [] })
  expect(watched.inside?.heap.length).toBeGreaterThan(0)
  expect(reportOf(await run([...asked, '--', ...command], cwd)).inside).toBeNull()
})
