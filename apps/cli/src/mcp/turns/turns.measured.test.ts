import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport } from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest, type Outcome } from '../../testing/run-for-test.ts'
import { serveApi } from '../../testing/serve-api.ts'
import { wordsOf } from './version-target.ts'

const tiny = path.join(import.meta.dirname, '../testing/tiny-server.ts')
/** As few and short blocks as there may be. */
const short = ['--blocks', '10', '--block-time', '60ms', '--warm-up', '2', '--json']

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-turns-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function run(args: readonly string[], cwd?: string): Promise<Outcome> {
  return runForTest(['mcp', ...args], {
    cwd: cwd ?? (await newFolder()),
    env: { PATH: process.env['PATH'] ?? '', FLAMEGATE_TOKEN: '' },
  })
}

/** A folder whose mcp-profiler.config.json has a server of which the version is how many milliseconds it takes. */
async function folderWithServer(args: readonly string[] = [tiny, '--ms', '{version}']): Promise<string> {
  const cwd = await newFolder()
  const configuration = { mcpServers: { mine: { command: process.execPath, args } }, cpu: { enabled: false } }
  await writeFile(path.join(cwd, 'mcp-profiler.config.json'), JSON.stringify(configuration))
  return cwd
}

function memoryOf({ overall }: { overall: readonly { metric: string; verdict: string }[] }) {
  return overall.find(({ metric }) => metric === 'rss_bytes')
}

test('regression-test runs two versions of a server in turns, and ends with 1 for the slower one', async () => {
  const cwd = await folderWithServer()
  const versions = ['--mcp', 'mine', '--baseline', '2', '--current', '15']
  const outcome = await run(['regression-test', ...versions, ...short, '--output', 'found.md'], cwd)
  const found = JSON.parse(outcome.out)
  expect(found).toMatchObject({
    isInterleaved: true,
    verdict: 'slower',
    base: { target: 'mine', label: '2' },
    head: { target: 'mine', label: '15' },
  })
  expect(found.notes[0]).toBe('Measured in 10 pairs of blocks, in turns. More would change nothing.')
  expect(outcome.exitCode).toBe(1)
  expect(found.regressions[0]).toMatch(/^work: mean_ms \+\d/)
  // The quicker one answers many more calls, so that what it holds meanwhile says nothing of what it keeps.
  expect(memoryOf(found)).toMatchObject({ verdict: 'not_judged' })
  expect(await readFile(path.join(cwd, 'found.md'), 'utf8')).toMatch(/^# Head is slower/)
  // The reports of both are kept, and found by what they are called.
  const again = await run(['compare', '--mcp', 'mine', '--baseline', '2', '--current', '15', '--json'], cwd)
  expect(JSON.parse(again.out)).toMatchObject({ verdict: 'slower', base: found.base, head: found.head })
})

test('both reports go to the project that is named, that of the head with the comparison', async () => {
  const cwd = await folderWithServer()
  const api = await serveApi()
  const line = ['mcp', 'regression-test', '--mcp', 'mine', '--baseline', '2', '--current', '15', ...short]
  const env = { FLAMEGATE_PROJECT: 'prj_01', PATH: process.env['PATH'] ?? '' }
  const outcome = await runForTest([...line, '--no-keep'], { cwd, url: api.url, env })
  expect(api.calls).toMatchObject([
    { operation: 'upload_mcp_report', input: { report: { target: { label: '2' } } } },
    {
      operation: 'upload_mcp_report',
      input: { report: { target: { label: '15' } }, result: JSON.parse(outcome.out) },
    },
  ])
  expect(api.calls[0]?.input).not.toHaveProperty('result')
  expect(await readdir(cwd)).toEqual(['mcp-profiler.config.json'])
})

test('regression-check takes two builds, and the same one is no regression', async () => {
  const command = `"${process.execPath}" ${tiny} --ms 2`
  const outcome = await run([
    'regression-check',
    '--baseline',
    command,
    '--current',
    command,
    '--threshold',
    '50%',
    ...short,
  ])
  expect(outcome).toMatchObject({ exitCode: 0, error: expect.stringMatching(/^(?:Kept as .*\n){2}$/) })
  const found = JSON.parse(outcome.out)
  expect(found.notes[0]).toMatch(/^Measured in 10 pairs/)
  expect(memoryOf(found)?.verdict).toMatch(/^(?:same|cannot_tell)$/)
})

test('ab-test tells which settings are better, and compares throughput where the calls at a time differ', async () => {
  const cwd = await newFolder()
  await writeFile(path.join(cwd, 'b.json'), '{ "name": "half", "env": { "PACE": "0.1" }, "concurrent": 2 }')
  const outcome = await run(
    ['ab-test', '--optimization-config', 'b.json', ...short, '--', process.execPath, tiny, '--ms', '8'],
    cwd,
  )
  expect(outcome.exitCode).toBe(0)
  const found = JSON.parse(outcome.out)
  expect(found).toMatchObject({ verdict: 'faster', base: { label: 'as it is' }, head: { label: 'half' } })
  expect(found.improvements[0]).toMatch(/^the server: requests_per_second \+/)
  expect(found.notes).toContain(
    '1 and 2 calls at a time: the times of calls are not compared, the throughput is.',
  )
})

test('auto-tune proposes what is better twice, and --apply writes it and keeps the rest', async () => {
  const cwd = await folderWithServer()
  const configured = await readFile(path.join(cwd, 'mcp-profiler.config.json'), 'utf8')
  // Of a shell it is not known what it runs, so that nothing is tried but the allocator, and that is listed here.
  const server = ['--mcp', 'mine', '--', '/bin/sh', '-c', `exec "${process.execPath}" ${tiny} --ms 10`]
  const tries = ['--try', 'PACE=0.1,broken', '--try', 'MALLOC_ARENA_MAX=2', '--target-latency', '10s']
  const outcome = await run(['auto-tune', '--safe-mode', '--apply', ...tries, ...short, ...server], cwd)
  const found = JSON.parse(outcome.out)
  expect(
    found.tries.map(({ title, verdict }: { title: string; verdict: string }) => [title, verdict]),
  ).toEqual([
    ['PACE=0.1', 'better'],
    ['PACE=broken', 'failed'],
    // It makes no difference. What the first look tells of it is now and then told by chance; it is not proposed, for that takes two.
    ['MALLOC_ARENA_MAX=2', expect.any(String)],
  ])
  expect(found).toMatchObject({
    proposal: { settings: ['PACE=0.1'], env: { PACE: '0.1' }, confirmation: { verdict: 'faster' } },
    isTargetMet: true,
    // What was better by chance was not so again.
    notConfirmed: found.tries
      .slice(2)
      .flatMap(({ title, verdict }: { title: string; verdict: string }) =>
        verdict === 'better' ? [title] : [],
      ),
  })
  expect(outcome).toMatchObject({
    exitCode: 0,
    error: expect.stringContaining('Written to mcp-profiler.config.json'),
  })
  const written = JSON.parse(await readFile(path.join(cwd, 'mcp-profiler.config.json'), 'utf8'))
  const before = JSON.parse(configured)
  expect(written).toEqual({
    ...before,
    mcpServers: { mine: { ...before.mcpServers.mine, env: { PACE: '0.1' } } },
  })
  const copy = (await readdir(cwd)).find((name) => name.includes('.before-')) ?? ''
  expect(await readFile(path.join(cwd, copy), 'utf8')).toBe(configured)
}, 300_000)

test('--reference of the command test measures the server beside a server of known work', async () => {
  const args = ['test', '--reference', '--concurrent', '1', '--duration', '1s', '--no-keep', '--json']
  const outcome = await run([...args, '--', process.execPath, tiny, '--ms', '2'])
  expect(outcome.exitCode).toBe(0)
  const { turns = [], reference, operations, load } = mcpReport.parse(JSON.parse(outcome.out))
  expect(turns.length).toBeGreaterThanOrEqual(5)
  expect(reference?.version).toBe('1')
  for (const series of [reference?.blockMeansMs, reference?.cpuMsPerCall, operations[0]?.blockMeansMs]) {
    expect(series).toHaveLength(turns.length)
  }
  expect(reference?.blockMeansMs.every((mean) => mean !== null && mean > 0.1)).toBe(true)
  expect(load).toMatchObject({ model: 'closed', concurrent: 1, errorRate: 0 })
  expect(turns.every(({ cpuMs, rssBytes }) => cpuMs !== null && rssBytes !== null)).toBe(true)
})

test('wordsOf() keeps together what is in quotes', () => {
  expect(wordsOf(`node "a b.js" --name='it is' x"y z"`)).toEqual(['node', 'a b.js', '--name=it is', 'xy z'])
  expect(() => wordsOf('node "a')).toThrow(/has no end/)
})

const sample = ['--', process.execPath, tiny]
test.each([
  [['regression-test', '--baseline', 'a'], /--baseline and --current/],
  [['regression-test', '--baseline', 'a', '--current', 'b'], /There is no server a in/],
  [['regression-test', '--baseline', 'node "x', '--current', 'b'], /a quote in it has no end/],
  [['regression-test', '--mcp', 'fixed', '--baseline', '1', '--current', '2'], /has no \{version\}/],
  [['regression-test', '--baseline', '/a b', '--current', '/a b', '--blocks', '3'], /--blocks 3 is to be/],
  [['regression-check', '--baseline', 'node "x', '--current', 'node y'], /a quote in it has no end/],
  [
    ['regression-check', '--baseline', 'odd.json', '--current', 'node y'],
    /One is a report and the other a build/,
  ],
  [['ab-test', ...sample], /--optimization-config/],
  [['ab-test', '--optimization-config', 'none.json', ...sample], /none\.json cannot be read/],
  [['ab-test', '--optimization-config', 'odd.json', ...sample], /heap is no setting\. There are: name, env/],
  [['ab-test', '--optimization-config', 'empty.json', ...sample], /It changes nothing/],
  [['ab-test', '--optimization-config', 'headers.json', ...sample], /there are no headers/],
  [['ab-test', '--optimization-config', 'env.json', '--mcp', 'http://127.0.0.1:1/mcp'], /runs already/],
  [['auto-tune', '--mcp', 'http://127.0.0.1:1/mcp'], /runs already/],
  [['auto-tune', '--try', 'POOL', ...sample], /--try POOL is to be a variable with values/],
  [['test', '--reference', '--target-rps', '5', ...sample], /--reference is for calls at a time/],
])('%s is refused with 2', async (args, message) => {
  const cwd = await newFolder()
  const files = {
    'odd.json': '{ "heap": 1 }',
    'empty.json': '{ "name": "nothing", "env": {} }',
    'headers.json': '{ "headers": { "a": "b" } }',
    'env.json': '{ "env": { "A": "b" } }',
    '.mcp.json': '{ "mcpServers": { "fixed": { "command": "node" } } }',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(cwd, name), text)
  expect(await run(args, cwd)).toMatchObject({ exitCode: 2, error: expect.stringMatching(message) })
})
