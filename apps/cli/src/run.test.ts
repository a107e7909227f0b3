import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest } from './testing/run-for-test.ts'
import { serveApi, type Reply } from './testing/serve-api.ts'

const place = ['--repository', 'acme/checkout', '--branch', 'main', '--commit', 'abc1234', '--no-environment']

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-cli-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A program of that name in a folder of its own, which is on the path. */
async function program(name: string, script: string): Promise<{ env: Record<string, string> }> {
  const folder = await newFolder()
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o755)
  return { env: { PATH: `${folder}${delimiter}${process.env['PATH']}` } }
}

const shell = (script: string) => ['--', 'sh', '-c', script]
const submitted = (api: { calls: readonly { input: Record<string, unknown> }[] }) =>
  api.calls.map(({ input }) => input['results'])

test('run passes on what the command prints, uploads it, and says where to look', async () => {
  const api = await serveApi()
  const { exitCode, out } = await runForTest(
    ['run', ...place, ...shell("printf 'BenchmarkA-8 10 5 ns/op\\n'")],
    api,
  )
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^BenchmarkA-8 10 5 ns\/op\nstdout: 6 results/)
  expect(out).toContain('https://flamegate.example/runs/run_01')
  expect(submitted(api)).toEqual(['BenchmarkA-8 10 5 ns/op\n'])
})

test('run keeps the exit code of a command that fails, and uploads nothing', async () => {
  const api = await serveApi()
  const { exitCode, error } = await runForTest(['run', ...place, ...shell('echo x; exit 7')], api)
  expect({ exitCode, error }).toEqual({
    exitCode: 7,
    error: 'The command ended with 7: nothing was uploaded.\n',
  })
  expect((await runForTest(['run', ...place, ...shell('kill -TERM $$')], api)).exitCode).toBe(143)
  expect(api.calls).toEqual([])
})

test.each([
  [['run'], 'Write the command after --'],
  [['run', '--', '/no/such/program'], '/no/such/program cannot be started'],
  [['run', ...place, ...shell('true')], 'The command printed nothing'],
  [
    ['run', ...place, '--results', 'nothing-*.json', ...shell('echo x')],
    'nothing-*.json: There is no such file.',
  ],
])('%j is wrong usage', async (args, text) => {
  const api = await serveApi()
  expect(await runForTest(args, { ...api, env: { PATH: process.env['PATH'] ?? '' } })).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining(text),
  })
})

test('run takes the files that are named, if they are new', async () => {
  const cwd = await newFolder()
  await writeFile(join(cwd, 'old.json'), '{}')
  const api = await serveApi()
  await rewind(join(cwd, 'old.json'))
  await runForTest(['run', ...place, '--results', '*.json', ...shell('echo x; echo new > new.json')], {
    ...api,
    cwd,
  })
  expect(submitted(api)).toEqual(['new\n'])
  expect(
    await runForTest(['run', ...place, '--results', 'old.json', ...shell('echo x')], { ...api, cwd }),
  ).toMatchObject({ exitCode: 2, error: expect.stringContaining('The command wrote none of these files.') })
})

/** As if it had been written yesterday. */
async function rewind(path: string): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000)
  await utimes(path, yesterday, yesterday)
}

test('run takes what Google Benchmark writes when its variable says where', async () => {
  const api = await serveApi()
  await runForTest(
    ['run', ...place, ...shell('echo table; echo "$BENCHMARK_OUT_FORMAT" > "$BENCHMARK_OUT"')],
    api,
  )
  expect(submitted(api)).toEqual(['json\n'])
})

// Each writes the arguments it got to the last of them that names a file of ours.
const echoing = 'for file in "$@"; do :; done; echo "$*" > "${file#*=}"'

test.each([
  [
    'hyperfine',
    'echo "$*" > "$2"',
    ['hyperfine', '--warmup_runs', '1', 'x'],
    /^--export-json \S+\.json --warmup_runs 1 x\n$/,
  ],
  ['pytest', echoing, ['pytest', '-q'], /^-q --benchmark-json=\S+\.json\n$/],
  [
    'vitest',
    echoing,
    ['nice', 'vitest', 'bench'],
    /^bench --reporter=default --reporter=json --outputFile\.json=\S+\n$/,
  ],
])('run makes %s write its results', async (name, script, command, args) => {
  const { env } = await program(name, script)
  const api = await serveApi()
  const { exitCode } = await runForTest(['run', ...place, '--', ...command], { ...api, env })
  expect(exitCode).toBe(0)
  expect(submitted(api)).toEqual([expect.stringMatching(args)])
})

test('run speaks to the Vitest that the project has', async () => {
  const cwd = await newFolder()
  await mkdir(join(cwd, 'node_modules/vitest'), { recursive: true })
  await writeFile(join(cwd, 'node_modules/vitest/package.json'), '{ "version": "3.2.4" }')
  const { env } = await program('vitest', echoing)
  const api = await serveApi()
  await runForTest(['run', ...place, '--', 'vitest', 'bench'], { ...api, cwd, env })
  expect(submitted(api)).toEqual([expect.stringMatching(/^bench --outputJson \S+\.json\n$/)])
})

test('run takes the file that the command itself names', async () => {
  const cwd = await newFolder()
  const { env } = await program('hyperfine', 'echo "$*" > own.json')
  const api = await serveApi()
  await runForTest(['run', ...place, '--', 'hyperfine', '--export-json=own.json', 'x'], { ...api, cwd, env })
  expect(submitted(api)).toEqual(['--export-json=own.json x\n'])
})

test('run takes the folder that CodSpeed writes to', async () => {
  const cwd = await newFolder()
  await mkdir(join(cwd, 'profile'))
  const api = await serveApi(uploading)
  await runForTest(
    [
      'run',
      ...place,
      ...shell('echo x; mkdir profile/results; echo 1 > profile/results/1.json; echo 2 > profile/2.out'),
    ],
    { ...api, cwd, env: { CODSPEED_PROFILE_FOLDER: 'profile' } },
  )
  // What an earlier step left there is none of this one's.
  await rewind(join(cwd, 'profile/results/1.json'))
  await rewind(join(cwd, 'profile/2.out'))
  await runForTest(['run', ...place, ...shell('echo x')], {
    ...api,
    cwd,
    env: { CODSPEED_PROFILE_FOLDER: 'profile' },
  })
  expect(api.uploads).toHaveLength(1)
  expect(submitted(api).at(-1)).toBe('x\n')
  const archive = gunzipSync(api.uploads[0]?.body ?? '').toString('latin1')
  expect(archive).toContain('results/1.json\0')
  expect(archive).toContain('2.out\0')
})

test('run leaves in the folder of CodSpeed what another run wrote there', async () => {
  const cwd = await newFolder()
  await mkdir(join(cwd, 'profile/results'), { recursive: true })
  await writeFile(join(cwd, 'profile/results/1.json'), 'old')
  await rewind(join(cwd, 'profile/results/1.json'))
  const api = await serveApi()
  await runForTest(['run', ...place, ...shell('echo new > profile/results/2.json')], {
    ...api,
    cwd,
    env: { CODSPEED_PROFILE_FOLDER: 'profile' },
  })
  expect(submitted(api)).toEqual(['new\n'])
})

test('run --check ends with the verdict', async () => {
  const api = await serveApi({ check_regression: () => ({ passed: false }) })
  expect(await runForTest(['run', '--check', ...place, ...shell('echo x')], api)).toMatchObject({
    exitCode: 1,
  })
  expect(api.calls.at(-1)).toMatchObject({ operation: 'check_regression', input: { run_id: 'run_01' } })
})

const uploading: Record<string, Reply> = {
  create_run_upload: () => ({
    upload: {
      method: 'PUT',
      url: '/objects/ws_1/fil_1',
      headers: {},
      expires_at: '2026-11-20T11:00:00.000Z',
      curl: 'curl',
    },
  }),
  get_task_result: () => ({
    task: {
      id: 'tsk_01',
      kind: 'import_results',
      status: 'SUCCESS',
      progress_percent: 100,
      message: 'Done',
      result: { result_count: 2, adapter: 'codspeed', warnings: [] },
      problem: null,
      created_at: '2026-11-20T10:00:00.000Z',
      finished_at: null,
    },
  }),
}
