import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest, type Outcome } from '../../testing/run-for-test.ts'

const faultyServer = path.join(import.meta.dirname, '../testing/faulty-server.ts')

async function run(args: readonly string[], ...faults: string[]): Promise<Outcome & { cwd: string }> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'mcp-profiler-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const outcome = await runForTest(
    ['mcp', ...args, '--operations', 'search', '--json', '--', process.execPath, faultyServer, ...faults],
    { cwd, env: { PATH: process.env['PATH'] ?? '' } },
  )
  return { ...outcome, cwd }
}

function reportOf({ out, error }: Outcome): McpReport {
  if (out === '') throw new Error(error)
  return mcpReport.parse(JSON.parse(out))
}

test('heap-analysis --compare tells what grew between snapshots, and who keeps it', async () => {
  const outcome = await run(
    ['heap-analysis', '--duration', '1s', '--snapshot-interval', '1s', '--compare'],
    '--faults',
    'leak',
  )
  const report = reportOf(outcome)
  const { classes = [], growth = [] } = report.inside ?? {}
  const kept = growth.find(({ name }) => name === '{query, hits}')
  expect(kept?.count).toBeGreaterThan(10)
  expect(kept?.place).toContain('variable searches')
  const own = classes.find(({ name }) => name === '{query, hits}')
  expect(own?.objects.at(-1)).toBe((own?.objects[0] ?? 0) + (kept?.count ?? 0))
  expect(own?.retainedBytes.at(-1)).toBeGreaterThan(own?.shallowBytes.at(-1) ?? Infinity)

  const snapshots = report.profiles.filter(({ kind }) => kind === 'heap_snapshot')
  expect(snapshots).toHaveLength(own?.objects.length ?? 0)
  expect(await readdir(path.join(outcome.cwd, path.dirname(snapshots[0]?.path ?? '')))).toHaveLength(
    snapshots.length,
  )
})

test('memory-leaks fails for a server that keeps more and more, and says where it was allocated', async () => {
  const args = ['memory-leaks', '--duration', '3s', '--rps', '200', '--threshold', '2MB']
  const leaking = await run(args, '--faults', 'leak')
  expect(leaking).toMatchObject({ exitCode: 1, error: expect.stringContaining('It leaks: the heap after') })
  const [largest] = reportOf(leaking).inside?.growth ?? []
  expect(largest?.place).toContain('faulty-server.ts:')
  expect(largest?.bytes).toBeGreaterThan(1e6)

  const healthy = await run(args)
  expect(healthy).toMatchObject({ exitCode: 0, error: expect.stringContaining('No leak: ') })
})
