import { catalogue, Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { operationFields } from './arguments/operation-field.ts'
import { commands } from './commands/commands.ts'
import { runForTest } from './testing/run-for-test.ts'
import { gitCheckout } from './testing/git-checkout.ts'
import { closedUrl, serveApi } from './testing/serve-api.ts'

test('flamegate without a command, or with --help, lists the commands', async () => {
  const { exitCode, out } = await runForTest([])
  expect(exitCode).toBe(0)
  for (const command of commands) expect(out).toContain(`  ${command.name} `)
  expect(await runForTest(['--help'])).toEqual({ exitCode, out, error: '' })
})

test.each(commands.map((command) => command.name))('flamegate %s --help shows its options', async (name) => {
  const { exitCode, out } = await runForTest([name, '--help'])
  expect(exitCode).toBe(0)
  expect(out).toContain(`Usage: flamegate ${name}`)
  expect(out).toContain('--help')
})

test('the help of a group lists what it has in columns, and help keeps its paragraphs apart', async () => {
  expect((await runForTest(['mcp', '--help'])).out).toMatch(/^  load-test {2,}Make load on a server/m)
  expect((await runForTest(['bridge', '--help'])).out).toMatch(/^  otlp {2,}Take metrics/m)
  expect((await runForTest(['call', '--help'])).out).toMatch(/^  benchmarks {2,}.*compare_runs/m)
  const { out } = await runForTest(['mcp', 'regression-check', '--help'])
  expect(out).toContain('is no failure.\n\nTwo reports are compared')
})

test.each(catalogue.map((operation) => operation.id))('call %s --help shows every field', async (id) => {
  const { exitCode, out } = await runForTest(['call', id, '--help'])
  expect(exitCode).toBe(0)
  for (const field of operationFields(catalogue.find((each) => each.id === id)!)) {
    expect(out).toContain(`--${field.option}`)
  }
})

test('no operation has a field that is an option of the command line itself', () => {
  const own = new Set(['help', 'json', 'markdown'])
  const fields = catalogue.flatMap((operation) => operationFields(operation).map((field) => field.option))
  expect(fields.filter((option) => own.has(option))).toEqual([])
})

test('whoami prints markdown with the link, or JSON', async () => {
  const api = await serveApi()
  const { exitCode, out } = await runForTest(['whoami'], api)
  expect(exitCode).toBe(0)
  expect(out).toContain('Ada <ada@example.com>')
  expect(out).toContain('https://flamegate.example/')
  expect(JSON.parse((await runForTest(['whoami', '--json'], api)).out)).toMatchObject({ credential: 'oauth' })
  expect(api.calls[0]?.authorization).toBe('Bearer fg_test')
})

test('runs takes the repository from git when none is named', async () => {
  const api = await serveApi()
  const { folder } = await gitCheckout([], { remote: 'https://github.com/acme/checkout.git' })
  await runForTest(['runs', '--branch', 'main', '--limit', '5'], { url: api.url, cwd: folder })
  await runForTest(['runs', '--repository', 'prj_1'], { url: api.url, cwd: folder })
  expect(api.calls).toMatchObject([
    { operation: 'list_runs', input: { repository: 'acme/checkout', branch: 'main', limit: 5 } },
    { operation: 'list_runs', input: { repository: 'prj_1' } },
  ])
})

test('runs says what is missing when nothing tells the repository', async () => {
  const { exitCode, error } = await runForTest(['runs'])
  expect(exitCode).toBe(2)
  expect(error).toContain('repository: Required.')
})

test('compare prints the report and exits with 0 also when the run is slower', async () => {
  const api = await serveApi({ compare_runs: () => ({ report: '## Regressions (1)' }) })
  const { exitCode, out } = await runForTest(['compare', 'run_a', 'run_b', '--threshold_percent', '2'], api)
  expect(exitCode).toBe(0)
  expect(out).toContain('## Regressions (1)')
  expect(api.calls).toMatchObject([
    {
      operation: 'compare_runs',
      input: { base_run_id: 'run_a', head_run_id: 'run_b', threshold_percent: 2 },
    },
  ])
})

test('flamegraph takes a profile, or a run and a benchmark, and else the latest run', async () => {
  const api = await serveApi()
  await runForTest(['flamegraph', 'prf_1'], api)
  await runForTest(['flamegraph', 'run_1', 'bench::price cart'], api)
  await runForTest(['flamegraph'], api)
  expect(api.calls.map((call) => call.input)).toMatchObject([
    { profile_id: 'prf_1' },
    { run_id: 'run_1', benchmark: 'bench::price cart' },
    { run_id: 'latest' },
  ])
})

test('projects takes the only workspace, and asks for one of several', async () => {
  const one = await serveApi()
  expect(await runForTest(['projects'], one)).toMatchObject({ exitCode: 0 })
  expect(one.calls.at(-1)).toMatchObject({ operation: 'list_projects', input: { workspace_id: 'ws_01' } })

  const workspace = { slug: 'a', name: 'A', plan: 'free', role: 'owner' }
  const two = await serveApi({
    list_workspaces: () => ({
      workspaces: [
        { id: 'ws_1', ...workspace },
        { id: 'ws_2', ...workspace },
      ],
    }),
  })
  const { exitCode, error } = await runForTest(['projects'], two)
  expect(exitCode).toBe(2)
  expect(error).toContain('--workspace-id: ws_1 (A), ws_2 (A)')
})

test('call takes fields from --json and from options, which win', async () => {
  const api = await serveApi()
  const { exitCode, out } = await runForTest(
    [
      'call',
      'create_project',
      '--json',
      '{"workspace_id":"ws_1","name":"a"}',
      '--name',
      'b',
      '--tags',
      'x',
      '--tags',
      'y',
    ],
    api,
  )
  expect(exitCode).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ project: { id: 'prj_01' } })
  expect(api.calls).toMatchObject([
    { operation: 'create_project', input: { workspace_id: 'ws_1', name: 'b', tags: ['x', 'y'] } },
  ])
})

test('call writes flags, maps and the operation’s name in every way', async () => {
  const api = await serveApi()
  await runForTest(
    [
      'call',
      'get-benchmark-result',
      '--run-id',
      'run_1',
      '--benchmark',
      'a',
      '--include-rounds',
      '--markdown',
    ],
    api,
  )
  await runForTest(
    [
      'call',
      'submit_benchmark_results',
      '--repository',
      'acme/a',
      '--branch',
      'main',
      '--commit_hash',
      'abc1234',
      '--results',
      'x',
      '--environment',
      'cpu=A=B',
    ],
    api,
  )
  expect(api.calls[1]).toMatchObject({ input: { repository: 'acme/a', environment: { cpu: 'A=B' } } })
})

test('a refusal is printed with its fields and the request, and exits with 1', async () => {
  const api = await serveApi({
    get_run: () => {
      throw new Problem('run_not_found', 'No such run in your workspaces.')
    },
  })
  expect(await runForTest(['call', 'get_run', '--run-id', 'run_x'], api)).toEqual({
    exitCode: 1,
    out: '',
    error: 'No such run (run_not_found).\nNo such run in your workspaces.\nRequest req-1\n',
  })
})

test.each([
  [['nonsense'], 'There is no command nonsense.'],
  [['call'], 'Name the operation'],
  [['call', 'nonsense'], 'There is no operation nonsense.'],
  [['whoami', 'extra'], 'There is an argument too many: extra'],
  [['runs', '--nonsense'], '--nonsense'],
  [['runs', '--repository', 'a/b', '--limit', 'many'], 'limit: '],
  [['call', 'get_run', '--json', '{'], '--json is not valid JSON'],
  [['call', 'get_run', '--json', '[]'], '--json must be a JSON object.'],
  [['call', 'get_run', '--json', '{"nonsense":1}'], 'nonsense: get_run has no such field.'],
  [['upload', '--environment', 'cpu', '--repository', 'a/b'], 'Name the files'],
])('%j is wrong usage and exits with 2', async (args, text) => {
  const { exitCode, error } = await runForTest(args)
  expect(exitCode).toBe(2)
  expect(error).toContain(text)
})

test('a missing token or a URL that is none is wrong usage', async () => {
  expect(await runForTest(['whoami'], { env: { FLAMEGATE_TOKEN: '' } })).toMatchObject({ exitCode: 2 })
  expect(await runForTest(['whoami'], { env: { FLAMEGATE_URL: 'flamegate' } })).toMatchObject({ exitCode: 2 })
})

test('a defect is told with its stack, and has the exit code that the command has for errors', async () => {
  const api = await serveApi({ check_regression: () => ({ passed: false, failures: null }) })
  const { exitCode, error } = await runForTest(['check', 'run_01'], api)
  expect(exitCode).toBe(2)
  expect(error).toMatch(/^TypeError: .*\n    at /)
})

test('no connection exits with 3 and says where it was tried', async () => {
  const { exitCode, error } = await runForTest(['call', 'revoke_api_token', '--api-token-id', 'tok_1'], {
    url: await closedUrl(),
  })
  expect(exitCode).toBe(3)
  expect(error).toContain('connect ECONNREFUSED 127.0.0.1:')
})
