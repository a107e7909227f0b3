import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mcpReport } from '@flamegate/mcp-profiling'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readCommandLine } from '../../arguments/command-line.ts'
import { runForTest } from '../../testing/run-for-test.ts'
import { closedUrl, serveApi } from '../../testing/serve-api.ts'
import { reportOptions, targetOptions } from '../options.ts'
import { sampleCommand } from '../testing/start-sample-server.ts'
import { storeReport } from './store-report.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'mcp-stored-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
})

const profiled = ['mcp', 'profile', '--operations', 'echo', '--samples', '3', '--warm-up', '0', '--json']
const words = [...profiled, '--', ...sampleCommand]
const env = { FLAMEGATE_PROJECT: 'prj_01', PATH: process.env['PATH'] ?? '' }

test('a report goes to the project that is named, and the link is told', async () => {
  const api = await serveApi()
  const outcome = await runForTest(words, { cwd, url: api.url, env })
  expect(outcome).toMatchObject({
    exitCode: 0,
    error: expect.stringMatching(/Uploaded: https:\/\/flamegate\.example\/.*mcs_01/),
  })
  expect(api.calls.map(({ operation }) => operation)).toEqual(['upload_mcp_report'])
  expect(api.calls[0]?.input).toEqual({ project_id: 'prj_01', report: JSON.parse(outcome.out) })

  await runForTest([...profiled, '--no-upload', '--', ...sampleCommand], { cwd, url: api.url, env })
  expect(api.calls).toHaveLength(1)
})

test('a platform that cannot be reached, or does not take it, is told, and the measurement is there', async () => {
  const gone = await runForTest(words, { cwd, url: await closedUrl(), env })
  expect(gone).toMatchObject({ exitCode: 0, error: expect.stringContaining('Not uploaded: ') })
  expect(mcpReport.parse(JSON.parse(gone.out)).command).toBe('profile')
  const nobody = await runForTest(words, { cwd, env: { ...env, FLAMEGATE_TOKEN: '', HOME: cwd } })
  expect(nobody).toMatchObject({
    exitCode: 0,
    error: expect.stringMatching(/Not uploaded: You are not logged in/),
  })
})

test('a folder that cannot be written is told, and the measurement is there', async () => {
  await writeFile(path.join(cwd, '.mcp-profiler'), 'a file')
  const outcome = await runForTest([...profiled, '--no-upload', '--', ...sampleCommand], { cwd, env })
  expect(outcome).toMatchObject({ exitCode: 0, error: expect.stringMatching(/^Not kept: EEXIST/m) })
  expect(mcpReport.parse(JSON.parse(outcome.out)).command).toBe('profile')
})

test('profiles are uploaded before it, and their ids are in what is kept', async () => {
  const api = await serveApi({ create_profile_upload: () => ({ upload: null, profile_id: 'prf_07' }) })
  const report = mcpReport.parse(JSON.parse((await runForTest(words, { cwd })).out))
  await writeFile(path.join(cwd, 'cpu.cpuprofile'), '{"nodes":[]}')
  let said = ''
  const stored = await storeReport(
    {
      ...report,
      profiles: [
        { kind: 'cpu', path: 'cpu.cpuprofile', profileId: null },
        { kind: 'heap', path: 'gone.heapprofile', profileId: null },
      ],
    },
    {
      line: readCommandLine(['--project', 'prj_01'], [...targetOptions, ...reportOptions], []),
      terminal: {
        env: { FLAMEGATE_TOKEN: 'fg_test', FLAMEGATE_URL: api.url },
        cwd,
        stdin: process.stdin,
        isStdinTyped: false,
        isInteractive: false,
        writeOut: () => {},
        passOn: () => {},
        writeError: (text) => (said += text),
        pause: () => Promise.resolve(),
      },
    },
  )
  expect(api.calls.map(({ operation }) => operation)).toEqual(['create_profile_upload', 'upload_mcp_report'])
  expect(api.calls[0]?.input).toMatchObject({ type: 'cpu', name: expect.stringMatching(/^cpu of /) })
  expect(api.calls[1]?.input).toMatchObject({ report: { profiles: stored.profiles } })
  expect(stored.profiles.map(({ profileId }) => profileId)).toEqual(['prf_07', null])
  expect(said).toMatch(/gone\.heapprofile was not uploaded: /)
  const kept = (await readdir(path.join(cwd, '.mcp-profiler'))).find((name) => name.endsWith('.json'))
  const text = await readFile(path.join(cwd, '.mcp-profiler', kept ?? ''), 'utf8')
  expect(mcpReport.parse(JSON.parse(text))).toEqual(stored)
})
