import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport, type Diagnosis, type McpReport } from '@flamegate/mcp-profiling'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest } from '../../testing/run-for-test.ts'

const server = path.join(import.meta.dirname, '../testing/faulty-server.ts')

/** Diagnoses the server with these faults; the text is what a person is shown. */
async function diagnose(
  args: readonly string[],
  faults: string,
): Promise<{ exitCode: number; report: McpReport; diagnosis: Diagnosis; text: string }> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'mcp-diagnose-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const { out, error, exitCode } = await runForTest(
    [
      'mcp',
      'diagnose',
      ...args,
      '--fail-on-findings',
      '--no-keep',
      '--json',
      '--output',
      'diagnosis.txt',
      '--',
      process.execPath,
      server,
      '--faults',
      faults,
    ],
    { cwd, env: { PATH: process.env['PATH'] ?? '', FLAMEGATE_TOKEN: '' } },
  )
  if (exitCode === 2) throw new Error(error)
  const answer = JSON.parse(out)
  const text = await readFile(path.join(cwd, 'diagnosis.txt'), 'utf8')
  return { exitCode, report: mcpReport.parse(answer), diagnosis: answer.diagnosis, text }
}

function said({ findings }: Diagnosis): string[] {
  return findings.map(({ rule, subject }) => `${rule} ${subject ?? '-'}`)
}

test('nothing is found on a server that is well', async () => {
  const { exitCode, report, diagnosis } = await diagnose(['--duration', '6s'], '')
  expect(said(diagnosis)).toEqual([])
  expect(exitCode).toBe(0)
  expect(diagnosis.rules).toHaveLength(17)
  expect(report.sweep.map(({ concurrent }) => concurrent)).toEqual([1, 2, 4, 8, 16])
  expect(report.operations.find(({ name }) => name === 'count_duplicates')?.bySize).toHaveLength(5)
})

test('memory-leak names the operation that keeps memory, and --heap-diff what is kept', async () => {
  const { exitCode, diagnosis, text } = await diagnose(
    ['memory-leak', '--operations', 'search,translate', '--duration', '3s', '--heap-diff'],
    'leak',
  )
  // What lives on is moved by each collection, too: that costs time, and may be said.
  expect(said(diagnosis).filter((each) => each !== 'gc_pressure -')).toEqual(['memory_leak search'])
  expect(exitCode).toBe(1)
  expect(text).toContain('Classes of the heap, from the first snapshot to the last')
})

test('cpu names the operation whose time grows faster than its input, and shows as many functions as are asked for', async () => {
  const { diagnosis, text } = await diagnose(
    ['cpu', '--operations', 'count_duplicates', '--duration', '3s', '--top-functions', '1'],
    'quadratic',
  )
  expect(said(diagnosis)).toContain('grows_with_input count_duplicates')
  const [, functions = ''] = /Functions with most time of their own\n([\s\S]*?)\n\n/.exec(text) ?? []
  expect(functions.split('\n')).toHaveLength(1 + 1)
})

test('slow-response names the operation that lets nobody else through, and --trace-requests shows single calls', async () => {
  const { report, diagnosis, text } = await diagnose(
    ['slow-response', '--operations', 'read_sensor,translate', '--duration', '4s', '--trace-requests'],
    'blocking',
  )
  expect(said(diagnosis)).toContain('blocking_call read_sensor')
  expect(text).toMatch(
    /Slowest calls\n {2}operation +at second +all ms +wait +send +first byte +receive +server/,
  )
  const [slowest] = report.trace ?? []
  expect(slowest).toMatchObject({ operation: expect.any(String), failure: null })
  const { waitMs = 0, sendMs, firstByteMs, receiveMs, totalMs = 0 } = slowest ?? {}
  expect(waitMs + (sendMs ?? NaN) + (firstByteMs ?? NaN) + (receiveMs ?? NaN)).toBeCloseTo(totalMs, 3)
  expect(slowest?.serverMs).toBeGreaterThan(1)
})

test('errors names the operation that fails when it is called at the same time, and how', async () => {
  const { diagnosis, text } = await diagnose(
    ['errors', '--operations', 'search,translate', '--duration', '3s', '--error-analysis'],
    'race',
  )
  expect(said(diagnosis)).toEqual(['errors_under_concurrency translate'])
  expect(text).toMatch(/Failures\n[^\n]*\n +translate +is_error +– +0 % .* Another text was translated\./)
})
