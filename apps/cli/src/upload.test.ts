import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { operations, Problem } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { gitCheckout } from './testing/git-checkout.ts'
import { runForTest } from './testing/run-for-test.ts'
import { closedUrl, serveApi, type Reply } from './testing/serve-api.ts'

const goBench = 'BenchmarkRoute-8   1000000   1042 ns/op\n'
const place = ['--repository', 'acme/checkout', '--branch', 'main', '--commit', 'abc1234']

test('upload submits small results inline, with environment and origin', async () => {
  const api = await serveApi()
  const { folder, hashes } = await gitCheckout(['Cache the rules'], { remote: 'git@host:acme/checkout.git' })
  await writeFile(join(folder, 'bench.txt'), goBench)
  await writeFile(join(folder, 'package.json'), '{}')
  const { exitCode, out } = await runForTest(['upload', 'bench.txt', '--tag', 'nightly'], {
    url: api.url,
    cwd: folder,
  })
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: 'bench.txt: 6 results, read as vitest_bench, are run run_01\n  https://flamegate.example/runs/run_01\n',
  })
  expect(api.calls).toHaveLength(1)
  expect(api.calls[0]).toMatchObject({
    operation: 'submit_benchmark_results',
    input: {
      repository: 'acme/checkout',
      branch: 'main',
      commit_hash: hashes[0],
      commit_message: 'Cache the rules',
      committed_at: '2026-11-20T10:00:00.000Z',
      event: 'local',
      tags: ['nightly'],
      results: goBench,
      environment: { cpu_count: String(cpus().length), arch: arch(), node: expect.stringMatching(/^v\d/) },
    },
  })
  expect(api.calls[0]?.input['environment']).not.toHaveProperty('go')
})

test('upload lets options win over CI, and --environment over what is collected', async () => {
  const api = await serveApi()
  const { exitCode } = await runForTest(
    [
      'upload',
      ...place,
      '--event',
      'schedule',
      '--environment',
      'cpu=Test CPU',
      '--environment',
      'os=',
      '--adapter',
      'go_bench',
      '--pull-request',
      '3',
    ],
    {
      url: api.url,
      stdin: goBench,
      env: { CIRCLECI: 'true', CIRCLE_BRANCH: 'other', CIRCLE_SHA1: 'f'.repeat(40) },
    },
  )
  expect(exitCode).toBe(0)
  const input = api.calls[0]?.input
  expect(input).toMatchObject({
    branch: 'main',
    commit_hash: 'abc1234',
    event: 'schedule',
    adapter: 'go_bench',
    pull_request: 3,
    environment: { cpu: 'Test CPU' },
  })
  expect(input?.['environment']).not.toHaveProperty('os')
})

test('upload says which part of the origin nothing tells', async () => {
  const { exitCode, error } = await runForTest(['upload', '--repository', 'a/b'], { stdin: goBench })
  expect(exitCode).toBe(2)
  expect(error).toBe('Neither CI nor git tells the branch: give --branch.\n')
})

test('upload sends large results to the presigned URL and waits for the task', async () => {
  const api = await serveApi(
    asyncReplies('create_run_upload', { result_count: 9, adapter: 'go_bench', warnings: ['odd'] }),
  )
  const large = goBench.repeat(3000)
  const folder = await folderWith({ 'out/bench.txt': large })
  const { exitCode, out, error } = await runForTest(['upload', 'out/bench.txt', ...place], {
    url: api.url,
    cwd: folder,
    isInteractive: true,
  })
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: 'bench.txt: 9 results, read as go_bench, are run run_01\n  warning: odd\n  https://flamegate.example/runs/run_01\n',
  })
  expect(api.uploads[0]?.headers).toMatchObject({ 'content-length': String(large.length), 'x-signed': 'yes' })
  expect(api.uploads[0]?.headers).not.toHaveProperty('authorization')
  expect(api.uploads[0]?.body.toString()).toBe(large)
  expect(api.calls.map((call) => call.operation)).toEqual([
    'create_run_upload',
    'get_task_result',
    'get_task_result',
  ])
  expect(api.calls[0]?.input).toMatchObject({ file_name: 'bench.txt', size_bytes: large.length })
  expect(error).toContain('100 % of 117.2 KiB uploaded')
  expect(error).toContain('Reading (40 %)')
})

test('upload shows a few warnings and counts the others', async () => {
  const warnings = Array.from({ length: 7 }, (_, index) => `line ${index} is odd`)
  const { run } = operations.submitBenchmarkResults.examples[0]!.output
  const api = await serveApi({ submit_benchmark_results: () => ({ run: { ...run, warnings } }) })
  const { out } = await runForTest(['upload', ...place], { url: api.url, stdin: goBench })
  expect(out).toContain('  warning: line 4 is odd\n  and 2 warnings more; --json has them all\n')
})

test('upload exits with 1 and the reason when the upload could not be read', async () => {
  const api = await serveApi({
    ...asyncReplies('create_run_upload', {}),
    get_task_result: () => ({
      task: {
        ...task,
        status: 'FAILED',
        problem: { code: 'unreadable_results', detail: 'Line 3 is odd.' },
      },
    }),
  })
  const { exitCode, error } = await runForTest(['upload', ...place], {
    url: api.url,
    stdin: goBench.repeat(3000),
  })
  expect(exitCode).toBe(1)
  expect(error).toBe('Line 3 is odd. (unreadable_results)\n')
})

test('upload exits with 1 when the storage refuses, and with 3 when it cannot be reached', async () => {
  const refusing = await serveApi(asyncReplies('create_run_upload', {}), { uploadStatus: 403 })
  const large = { stdin: goBench.repeat(3000) }
  expect(await runForTest(['upload', ...place], { url: refusing.url, ...large })).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('refused stdin with status 403'),
  })
  const closed = await closedUrl()
  const gone = await serveApi({
    create_run_upload: () => ({ upload: { ...presigned(), url: `${closed}/objects/x` } }),
  })
  expect(await runForTest(['upload', ...place], { url: gone.url, ...large })).toMatchObject({ exitCode: 3 })
})

test('upload attaches a profile to the run that the same command made, asking for nothing else', async () => {
  const api = await serveApi(profileReplies)
  const folder = await folderWith({ 'bench.txt': goBench, 'cpu.cpuprofile': '{"nodes":[]}' })
  const { exitCode, out } = await runForTest(
    [
      'upload',
      'cpu.cpuprofile',
      'bench.txt',
      ...place,
      '--benchmark',
      'BenchmarkRoute',
      '--type',
      'cpu',
      '--json',
    ],
    { url: api.url, cwd: folder },
  )
  expect(exitCode).toBe(0)
  expect(api.calls.map((call) => call.operation)).toEqual([
    'submit_benchmark_results',
    'create_profile_upload',
    'get_task_result',
  ])
  expect(api.calls[1]?.input).toMatchObject({
    project_id: 'prj_01',
    run_id: 'run_01',
    benchmark: 'BenchmarkRoute',
    type: 'cpu',
    file_name: 'cpu.cpuprofile',
    content: Buffer.from('{"nodes":[]}').toString('base64'),
    content_encoding: 'base64',
  })
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { kind: 'results', run_id: 'run_01', project_id: 'prj_01' },
    { kind: 'profile', profile_id: 'prf_01', run_id: 'run_01', format: 'cpuprofile' },
  ])
})

test('upload sends a large profile by its URL', async () => {
  const api = await serveApi({ ...profileReplies, create_profile_upload: () => ({ upload: presigned() }) })
  const folder = await folderWith({ 'cpu.pb.gz': 'x'.repeat(200_000) })
  const { exitCode } = await runForTest(['upload', 'cpu.pb.gz', '--repository', 'prj_1'], {
    url: api.url,
    cwd: folder,
  })
  expect(exitCode).toBe(0)
  expect(api.uploads[0]?.body).toHaveLength(200_000)
  expect(api.calls[0]?.input).toMatchObject({ project_id: 'prj_1', size_bytes: 200_000 })
  expect(api.calls[0]?.input).not.toHaveProperty('content')
})

test('upload finds the project of a profile by its run or its repository', async () => {
  const api = await serveApi({
    ...profileReplies,
    list_repositories: ({ cursor }) => ({
      repositories: [row(cursor === undefined ? 'acme/other' : 'Acme/Checkout', 'prj_9')],
      next_cursor: cursor === undefined ? 'more' : null,
    }),
  })
  const folder = await folderWith({ profile: 'main;parse 3\n' })
  await runForTest(['upload', 'profile', '--repository', 'acme/checkout'], { url: api.url, cwd: folder })
  await runForTest(['upload', 'profile', '--run', 'latest'], { url: api.url, cwd: folder })
  const uploads = api.calls.filter((call) => call.operation === 'create_profile_upload')
  expect(uploads.map((call) => call.input)).toMatchObject([
    { project_id: 'prj_9' },
    { project_id: 'prj_01', run_id: 'run_01' },
  ])
})

test('upload refuses a profile without a place, and of an unknown repository', async () => {
  const api = await serveApi()
  const folder = await folderWith({ 'a.pprof': 'x' })
  expect(await runForTest(['upload', 'a.pprof'], { url: api.url, cwd: folder })).toMatchObject({
    exitCode: 2,
  })
  expect(
    await runForTest(['upload', 'a.pprof', '--repository', 'no/such'], { url: api.url, cwd: folder }),
  ).toMatchObject({ exitCode: 2, error: expect.stringContaining('no/such') })
})

test('upload says what to give when the token may look nothing up', async () => {
  const api = await serveApi({
    list_repositories: () => {
      throw new Problem('insufficient_scope', 'list_repositories needs the scope read.')
    },
  })
  const folder = await folderWith({ 'a.pprof': 'x' })
  expect(
    await runForTest(['upload', 'a.pprof', '--repository', 'acme/a'], { url: api.url, cwd: folder }),
  ).toMatchObject({ exitCode: 2, error: expect.stringContaining('give the id of the project (prj_…)') })
})

test('upload takes --profile and --no-profile at their word', async () => {
  const api = await serveApi(profileReplies)
  await runForTest(['upload', '--profile', '--repository', 'prj_1'], { url: api.url, stdin: goBench })
  await runForTest(['upload', '--no-profile', ...place], { url: api.url, stdin: 'main;parse 3\n' })
  expect(api.calls.map((call) => call.operation)).toEqual([
    'create_profile_upload',
    'get_task_result',
    'submit_benchmark_results',
  ])
})

test.each([
  ['missing.txt', 'There is no such file.'],
  ['empty.txt', 'It is empty.'],
  ['folder', 'There is nothing in this folder.'],
  ['*.nothing', 'There is no such file.'],
])('upload %s is wrong usage', async (name, text) => {
  const folder = await folderWith({ 'empty.txt': '', 'folder/file': '' })
  expect(await runForTest(['upload', name], { cwd: folder })).toMatchObject({
    exitCode: 2,
    error: `${name}: ${text}\n`,
  })
})

test('upload makes one archive of several files, folders and patterns', async () => {
  const api = await serveApi(
    asyncReplies('create_run_upload', { result_count: 3, adapter: 'go_bench, hyperfine', warnings: [] }),
  )
  const longName = `${'deep/'.repeat(30)}c.json`
  const folder = await folderWith({
    'a.txt': goBench,
    'out/b.txt': 'b',
    [`out/${longName}`]: 'c',
    'out/empty.txt': '',
    'out/node_modules/d.json': 'd',
    'other/e.json': 'e',
  })
  const { exitCode, out } = await runForTest(['upload', 'a.txt', 'out', 'o*/**/*.json', ...place], {
    url: api.url,
    cwd: folder,
  })
  expect({ exitCode, out }).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('results.tar.gz: 3 results'),
  })
  expect(api.calls[0]?.input).toMatchObject({
    file_name: 'results.tar.gz',
    size_bytes: api.uploads[0]?.body.length,
  })
  expect(untar(gunzipSync(api.uploads[0]?.body ?? ''))).toEqual({
    'a.txt': goBench,
    'out/b.txt': 'b',
    [`out/${longName}`]: 'c',
    'other/e.json': 'e',
  })
})

test('upload names the files of one folder as the tool that wrote it does', async () => {
  const api = await serveApi(
    asyncReplies('create_run_upload', { result_count: 1, adapter: 'criterion', warnings: [] }),
  )
  const folder = await folderWith({
    'target/criterion/a/new/estimates.json': '{}',
    'target/criterion/b/x.json': '{}',
  })
  await runForTest(['upload', 'target/criterion', ...place], { url: api.url, cwd: folder })
  expect(Object.keys(untar(gunzipSync(api.uploads[0]?.body ?? '')))).toEqual([
    'a/new/estimates.json',
    'b/x.json',
  ])
})

test('upload says commit, base and job as CI tells them', async () => {
  const api = await serveApi()
  const env = {
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: 'acme/checkout',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feat/x',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'b'.repeat(40),
    CI_COMMIT_SHA: 'a'.repeat(40),
    CI_MERGE_REQUEST_IID: '7',
  }
  await runForTest(['upload', '--no-environment', '--environment', 'cpu=X'], {
    url: api.url,
    stdin: goBench,
    env,
  })
  await runForTest(['upload', '--base-branch', 'dev', '--base-commit', 'c'.repeat(40)], {
    url: api.url,
    stdin: goBench,
    env,
  })
  expect(api.calls.map(({ input }) => input)).toMatchObject([
    { base_branch: 'main', base_commit_hash: 'b'.repeat(40), pull_request: 7 },
    { base_branch: 'dev', base_commit_hash: 'c'.repeat(40) },
  ])
  expect(api.calls[0]?.input['environment']).toEqual({ cpu: 'X' })
})

test('upload repeats under one key what a passing trouble or a limit refused', async () => {
  const troubles = [
    new Problem('unavailable', 'Restarting.', { retryAfterSeconds: 3 }),
    new Problem('rate_limited', 'Slower.'),
    new Problem('request_in_progress', 'Still running.'),
  ]
  const api = await serveApi({
    submit_benchmark_results: () => {
      const trouble = troubles.shift()
      if (trouble) throw trouble
      return {}
    },
  })
  const { exitCode, error } = await runForTest(['upload', ...place], { url: api.url, stdin: goBench })
  expect(exitCode).toBe(0)
  expect(api.calls).toHaveLength(4)
  expect(new Set(api.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  expect(error).toContain('Trying again in 3.0 s.')
})

test('upload gives up on what trying again does not help', async () => {
  const api = await serveApi({
    submit_benchmark_results: () => {
      throw new Problem('unreadable_results', 'Line 1 is odd.')
    },
  })
  expect(await runForTest(['upload', ...place], { url: api.url, stdin: goBench })).toMatchObject({
    exitCode: 1,
  })
  expect(api.calls).toHaveLength(1)
})

test('the key of an upload is that of its content, commit and job', async () => {
  const api = await serveApi()
  const keyOf = async (stdin: string, commit: string, job: string) => {
    await runForTest(['upload', ...place.slice(0, 4), '--commit', commit, '--event', 'push'], {
      url: api.url,
      stdin,
      env: { BUILDKITE: 'true', BUILDKITE_JOB_ID: job },
    })
    return api.calls.at(-1)?.idempotencyKey
  }
  const key = await keyOf(goBench, 'abc1234', 'job 1')
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(await keyOf(goBench, 'abc1234', 'job 1')).toBe(key)
  expect(await keyOf(goBench, 'abc1234', 'job 2')).not.toBe(key)
  expect(await keyOf(goBench, 'abc1235', 'job 1')).not.toBe(key)
  expect(await keyOf(`${goBench}#`, 'abc1234', 'job 1')).not.toBe(key)
})

test('upload goes on with an earlier one whose bytes are there, and begins anew when that failed', async () => {
  const there = await serveApi(
    asyncReplies('create_run_upload', { result_count: 9, adapter: 'go_bench', warnings: [] }),
    { uploadStatus: 409 },
  )
  const large = { stdin: goBench.repeat(3000) }
  expect(await runForTest(['upload', ...place], { url: there.url, ...large })).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('9 results'),
  })
  expect(there.calls.filter(({ operation }) => operation === 'create_run_upload')).toHaveLength(1)

  const failed = await serveApi(
    {
      ...asyncReplies('create_run_upload', {}),
      get_task_result: (_input, callNumber) => ({
        task: {
          ...task,
          ...(callNumber === 1
            ? { status: 'FAILED' }
            : { result: { result_count: 9, adapter: 'go_bench', warnings: [] } }),
        },
      }),
    },
    { uploadStatus: 409 },
  )
  expect(await runForTest(['upload', ...place], { url: failed.url, ...large })).toMatchObject({ exitCode: 0 })
  const created = failed.calls.filter(({ operation }) => operation === 'create_run_upload')
  expect(new Set(created.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
})

test('upload sends the bytes anew when the storage was in trouble', async () => {
  const api = await serveApi(
    asyncReplies('create_run_upload', { result_count: 9, adapter: 'go_bench', warnings: [] }),
    { uploadStatuses: [503, 429] },
  )
  const large = goBench.repeat(3000)
  expect(await runForTest(['upload', ...place], { url: api.url, stdin: large })).toMatchObject({
    exitCode: 0,
  })
  expect(api.uploads.map(({ body }) => body.length)).toEqual([large.length, large.length, large.length])
})

test('upload does not stay with --no-wait', async () => {
  const api = await serveApi(asyncReplies('create_run_upload', {}))
  const { exitCode, out } = await runForTest(['upload', '--no-wait', ...place], {
    url: api.url,
    stdin: goBench.repeat(3000),
  })
  expect({ exitCode, out }).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^stdin: is being read \(task tsk_\w+\), is run run_01\n/),
  })
  expect(api.calls.map(({ operation }) => operation)).toEqual(['create_run_upload'])
})

test('upload --check ends with the verdict of the run that it made', async () => {
  const api = await serveApi({ check_regression: () => ({ passed: false }) })
  expect(await runForTest(['upload', '--check', ...place], { url: api.url, stdin: goBench })).toMatchObject({
    exitCode: 1,
  })
  expect(api.calls.at(-1)).toMatchObject({ operation: 'check_regression', input: { run_id: 'run_01' } })
})

/** The files of a tar archive, as GNU tar reads it. */
function untar(archive: Uint8Array): Record<string, string> {
  const list = (...args: string[]) =>
    execFileSync('tar', args, { input: archive, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  return Object.fromEntries(
    list('-t', '-f', '-')
      .trim()
      .split('\n')
      .map((name) => [name, list('-x', '-O', '-f', '-', name)]),
  )
}

const task = {
  id: 'tsk_01',
  kind: 'import_results',
  status: 'SUCCESS',
  progress_percent: 100,
  message: 'Done',
  result: null,
  problem: null,
  created_at: '2026-11-20T10:00:00.000Z',
  finished_at: null,
}

/** A task that runs once and is then done with `result`. */
function asyncReplies(operation: string, result: Record<string, unknown>): Record<string, Reply> {
  return {
    [operation]: () => ({ upload: presigned() }),
    get_task_result: (_input, callNumber) =>
      callNumber === 1
        ? {
            task: { ...task, status: 'RUNNING', progress_percent: 40, message: 'Reading' },
            next_poll_seconds: 0,
          }
        : { task: { ...task, result } },
  }
}

const profileReplies: Record<string, Reply> = {
  create_profile_upload: () => ({ upload: null }),
  get_task_result: () => ({ task: { ...task, result: { format: 'cpuprofile', warnings: [] } } }),
}

function presigned() {
  return {
    method: 'PUT',
    url: '/objects/ws_1/fil_1?signature=x',
    headers: { 'content-type': 'application/octet-stream', 'x-signed': 'yes' },
    expires_at: '2026-11-20T11:00:00.000Z',
    curl: 'curl',
  }
}

function row(repository: string, projectId: string) {
  return {
    repository,
    project_id: projectId,
    workspace_id: 'ws_1',
    name: 'A',
    visibility: 'private',
    description: '',
    run_count: 0,
  }
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-cli-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
