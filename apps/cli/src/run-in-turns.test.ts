import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { gitCheckout } from './testing/git-checkout.ts'
import { programEnv } from './testing/program-env.ts'
import { runForTest } from './testing/run-for-test.ts'
import { serveApi, type Reply } from './testing/serve-api.ts'

const place = ['--repository', 'acme/checkout', '--branch', 'feat', '--no-environment', '--no-wait']
const commit = ['--commit', 'abc1234']

/** Of tests that start dozens of processes, on a machine that may have other things to do. */
const patience = { timeout: 60_000 }

const uploading: Record<string, Reply> = {
  create_run_upload: (_, callNumber) => ({
    run_id: `run_${callNumber}`,
    upload: {
      method: 'PUT',
      url: '/objects/ws_1/fil_1',
      headers: {},
      expires_at: '2026-11-20T11:00:00.000Z',
      curl: 'curl',
    },
  }),
}

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flamegate-cli-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes down in `log` where it runs, and prints a result. */
function benchmark(log: string, more = ''): string[] {
  return ['--', 'sh', '-c', `basename "$PWD" >> ${log}; ${more} printf 'BenchmarkA-8 10 5 ns/op\\nPASS\\n'`]
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).trim().split('\n')
}

/** Names in an uploaded tar.gz. */
function namesIn(body: Buffer | undefined): string[] {
  return [
    ...gunzipSync(body ?? '')
      .toString('latin1')
      .matchAll(/process-\d+\/[\w.-]+/g),
  ].map(([name]) => name)
}

test('run --repeat measures in processes of their own, and uploads them as one run', async () => {
  const cwd = await newFolder()
  const log = join(cwd, 'log')
  const api = await serveApi(uploading)
  const { exitCode, error } = await runForTest(
    ['run', '--repeat', '3', ...place, ...commit, ...benchmark(log)],
    { ...api, cwd },
  )
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '1 of 3\n2 of 3\n3 of 3\n' })
  expect(await linesOf(log)).toHaveLength(3)
  expect(api.uploads.map(({ body }) => namesIn(body))).toEqual([
    ['process-1/stdout', 'process-2/stdout', 'process-3/stdout'],
  ])
  expect(api.calls.map(({ input }) => input['measurement_id'])).toEqual([undefined])
})

test('what a process writes is kept before the next one overwrites it', async () => {
  const cwd = await newFolder()
  const api = await serveApi(uploading)
  await runForTest(
    [
      'run',
      '--repeat',
      '2',
      '--results',
      'out/*.txt',
      ...place,
      ...commit,
      '--',
      'sh',
      '-c',
      'mkdir -p out; echo x >> all; cp all out/a.txt',
    ],
    { ...api, cwd },
  )
  const archive = gunzipSync(api.uploads[0]?.body ?? '').toString('latin1')
  expect(archive).toMatch(/process-1\/out\/a\.txt\0.*\0x\n\0.*process-2\/out\/a\.txt\0.*\0x\nx\n\0/s)
})

test('CodSpeed’s integrations get a folder for each process', async () => {
  const cwd = await newFolder()
  const api = await serveApi(uploading)
  await runForTest(
    [
      'run',
      '--repeat',
      '2',
      ...place,
      ...commit,
      '--',
      'sh',
      '-c',
      'mkdir -p "$CODSPEED_PROFILE_FOLDER/results"; echo 1 > "$CODSPEED_PROFILE_FOLDER/results/$$.json"',
    ],
    { ...api, cwd, env: { CODSPEED_PROFILE_FOLDER: 'profile' } },
  )
  expect(namesIn(api.uploads[0]?.body)).toEqual(['process-1/results', 'process-2/results'])
})

test('run --base-dir measures there and here in turns, and uploads two runs that know of each other', async () => {
  const folder = await newFolder()
  const [base, head, log] = [join(folder, 'old'), join(folder, 'new'), join(folder, 'log')]
  await Promise.all([mkdir(base), mkdir(head)])
  const api = await serveApi({ ...uploading, check_regression: () => ({ passed: false }) })
  const { exitCode, error } = await runForTest(
    [
      'run',
      '--base-dir',
      '../old',
      '--base-commit',
      'DEF5678',
      '--repeat',
      '3',
      '--check',
      ...place,
      ...commit,
      ...benchmark(log),
    ],
    { ...api, cwd: head },
  )
  expect(exitCode).toBe(1)
  expect(await linesOf(log)).toEqual(['old', 'new', 'new', 'old', 'old', 'new'])
  expect(error).toBe(
    ['1 of 3, base', '1 of 3, head', '2 of 3, head', '2 of 3, base', '3 of 3, base', '3 of 3, head', ''].join(
      '\n',
    ),
  )
  const [ofBase, ofHead, checked] = api.calls.map(({ input }) => input)
  expect(ofBase).toMatchObject({ branch: 'feat~base', commit_hash: 'DEF5678' })
  expect([ofBase?.['base_commit_hash'], ofBase?.['pull_request']]).toEqual([undefined, undefined])
  expect(ofHead).toMatchObject({ branch: 'feat', commit_hash: 'abc1234', base_commit_hash: 'DEF5678' })
  expect(ofBase?.['measurement_id']).toMatch(/^[\w-]{36}$/)
  expect(ofHead?.['measurement_id']).toBe(ofBase?.['measurement_id'])
  expect(checked).toMatchObject({ run_id: 'run_2', base_run_id: 'run_1' })
})

test('with a base there are ten pairs, if nobody says how many', patience, async () => {
  const folder = await newFolder()
  const log = join(folder, 'log')
  const api = await serveApi(uploading)
  await runForTest(
    ['run', '--base-dir', '.', '--base-commit', 'def5678', ...place, ...commit, ...benchmark(log)],
    { ...api, cwd: folder },
  )
  expect(await linesOf(log)).toHaveLength(20)
})

test('a process that fails ends the measurement, is named, and nothing is uploaded', async () => {
  const cwd = await newFolder()
  const log = join(cwd, 'log')
  const api = await serveApi(uploading)
  const failing = benchmark(log, `test $(wc -l < ${log}) -lt 3 || exit 7;`)
  const { exitCode, error } = await runForTest(
    ['run', '--base-dir', '.', '--base-commit', 'def5678', ...place, ...commit, ...failing],
    { ...api, cwd },
  )
  expect(exitCode).toBe(7)
  expect(error).toMatch(
    /2 of 10, head\nThe command \(2 of 10, head\) ended with 7: nothing was uploaded\.\n$/,
  )
  expect(api.calls).toEqual([])
})

/** A checkout whose branch `feat` left `main` after its first commit; both have gone on since. */
async function branchedCheckout(): Promise<{
  folder: string
  mergeBase: string
  git: (...args: string[]) => string
}> {
  const { folder, hashes } = await gitCheckout(['Start', 'Later on main'])
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  git('checkout', '--quiet', '-b', 'feat', hashes[0] ?? '')
  await mkdir(join(folder, 'sub'))
  await writeFile(join(folder, 'sub/file'), 'new')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Feature')
  return { folder, mergeBase: hashes[0] ?? '', git }
}

test(
  'run --base-ref measures the merge base in a worktree, which is set up first and removed at the end',
  patience,
  async () => {
    const { folder, mergeBase, git } = await branchedCheckout()
    const log = join(await newFolder(), 'log')
    const api = await serveApi(uploading)
    const { exitCode, error } = await runForTest(
      [
        'run',
        '--base-ref',
        'main',
        '--setup',
        `git rev-parse HEAD >> ${log}; echo ready`,
        '--repeat',
        '1',
        ...place,
        '--',
        'sh',
        '-c',
        `git rev-parse HEAD >> ${log}; echo x`,
      ],
      { ...api, cwd: folder },
    )
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error: 'Setting up the base.\nready\n1 of 1, base\n1 of 1, head\n',
    })
    const head = git('rev-parse', 'HEAD')
    expect(await linesOf(log)).toEqual([mergeBase, mergeBase, head])
    expect(
      api.calls.map(({ input }) => [input['branch'], input['commit_hash'], input['commit_message']]),
    ).toEqual([
      ['feat~base', mergeBase, 'Start'],
      ['feat', head, 'Feature'],
    ])
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  },
)

test('the worktree is removed after a setup or a process that fails too', patience, async () => {
  const { folder, git } = await branchedCheckout()
  const api = await serveApi(uploading)
  const run = (...args: string[]) =>
    runForTest(['run', '--base-ref', 'main', ...place, ...args], { ...api, cwd: folder })
  expect(await run('--setup', 'exit 3', '--', 'true')).toMatchObject({
    exitCode: 3,
    error: 'Setting up the base.\nThe setup of the base ended with 3: nothing was uploaded.\n',
  })
  expect(await run('--', 'sh', '-c', 'exit 4')).toMatchObject({ exitCode: 4 })
  expect(await run('--', '/no/such/program')).toMatchObject({ exitCode: 2 })
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(api.calls).toEqual([])
})

test('and when it is interrupted', patience, async () => {
  const { folder, git } = await branchedCheckout()
  const started = join(await newFolder(), 'started')
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(
    process.execPath,
    [main, 'run', '--base-ref', 'main', ...place, '--', 'sh', '-c', `touch ${started}; exec sleep 60`],
    {
      cwd: folder,
      env: { ...programEnv, FLAMEGATE_TOKEN: 'fg_test' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let error = ''
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  await vi.waitFor(() => access(started), { timeout: 50_000 })
  expect(git('worktree', 'list').split('\n')).toHaveLength(2)
  child.kill('SIGINT')
  await once(child, 'close')
  expect(child.exitCode).toBe(130)
  expect(error).toContain('(1 of 10, base) ended with 130: nothing was uploaded.')
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
})

test('the same folder of the repository is measured in the worktree', patience, async () => {
  const { folder, git } = await branchedCheckout()
  git('commit', '--quiet', '--allow-empty', '--message', 'Next')
  const log = join(await newFolder(), 'log')
  const api = await serveApi(uploading)
  await runForTest(['run', '--base-ref', 'HEAD~1', '--repeat', '1', ...place, ...benchmark(log)], {
    ...api,
    cwd: join(folder, 'sub'),
  })
  expect(await linesOf(log)).toEqual(['sub', 'sub'])
})

test('what is part of the base already is measured alone', async () => {
  const { folder } = await branchedCheckout()
  const api = await serveApi(uploading)
  const { error } = await runForTest(
    ['run', '--base-ref', 'feat', '--repeat', '2', ...place, '--', 'echo', 'x'],
    { ...api, cwd: folder },
  )
  expect(error).toBe('HEAD is part of the base already: it is measured alone.\n1 of 2\n2 of 2\n')
  expect(api.calls.map(({ input }) => input['branch'])).toEqual(['feat'])
})

test.each([
  [['--repeat', '0'], '--repeat is a whole number from 1 to 100.'],
  [['--repeat', 'many'], '--repeat is a whole number from 1 to 100.'],
  [['--base-dir', 'a', '--base-ref', 'b'], 'Give --base-dir or --base-ref, but not both.'],
  [['--base-dir', 'a', '--setup', 'b'], '--setup prepares the checkout of --base-ref'],
  [['--base-dir', 'a', '--base', 'run_1'], '--base names another run to judge against'],
  [['--base-dir', 'nowhere'], 'nowhere: There is no such folder.'],
  [['--base-dir', '.'], 'git does not know the commit of .: give --base-commit.'],
  [['--base-ref', 'main'], 'git rev-parse: '],
])('run %j is wrong usage, before anything is measured', async (args, text) => {
  const cwd = await newFolder()
  const log = join(cwd, 'log')
  const { exitCode, error } = await runForTest(['run', ...args, ...place, ...commit, ...benchmark(log)], {
    cwd,
  })
  expect({ exitCode, error }).toEqual({ exitCode: 2, error: expect.stringContaining(text) })
  await expect(access(log)).rejects.toThrow('ENOENT')
})

test('a ref that git does not know is told with what to do', async () => {
  const { folder } = await branchedCheckout()
  const { exitCode, error } = await runForTest(['run', '--base-ref', 'origin/none', '--', 'true'], {
    cwd: folder,
  })
  expect({ exitCode, error }).toEqual({
    exitCode: 2,
    error: expect.stringContaining('git knows no commit at which HEAD left origin/none. Fetch that branch'),
  })
})
