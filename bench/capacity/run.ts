// What a tenant, a run and a result cost, and whether that stays so as they grow: `npm run bench -- capacity`
import { parseArgs } from 'node:util'
import { newId, type Caller } from '@flamegate/contract'
import { openDatabase } from '../../packages/db/src/database.ts'
import { createStores } from '../../packages/db/src/stores.ts'
import { startTestServer } from '../../packages/db/src/test-server.ts'
import { makeResults, seededRandom } from '../compare/make-results.ts'
import { cpuTimeOf } from '../series/cpu-time.ts'

/** What one tenant has: a project with runs of the same benchmarks. */
const tenant = { runs: 20, benchmarks: 250 }
/** Tenants of which the answers are timed. */
const asked = 100

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    tenants: { type: 'string', default: '30,300' },
    seed: { type: 'string', default: '1' },
  },
})
const sizes = values.tenants.split(',').map(Number)
const [small, large] = sizes
if (small === undefined || large === undefined || sizes.length !== 2 || !(small >= 10 && large > small))
  throw new RangeError('--tenants takes two numbers, the second above the first, such as 30,300.')

interface Measured {
  tenants: number
  bytes: number
  /** Of our own process and PostgreSQL together. */
  cpuMs: number
  answersMs: Record<string, number>
}

interface Row {
  bench: 'capacity'
  metric: string
  ours: number
  /** What the smaller size foretells. */
  theirs: number
  ratio: number
}

const server = await startTestServer()
try {
  const { empty, at } = await measure([small, large])
  const rows = rowsOf(empty, at)
  if (values.json) for (const each of rows) console.log(JSON.stringify(each))
  else {
    console.table(
      rows.map(({ metric, ours, theirs, ratio }) => ({ metric, ours, 'as foretold': theirs, ratio })),
    )
  }
} finally {
  await server.stop()
}

async function measure(wanted: readonly number[]): Promise<{ empty: number; at: Measured[] }> {
  const urls = await server.createDatabase()
  const log = { info: () => undefined, error: () => undefined }
  const database = openDatabase({ appUrl: urls.appUrl, authUrl: urls.authUrl, poolSize: 4, log })
  const admin = openDatabase({ appUrl: urls.adminUrl, authUrl: urls.adminUrl, poolSize: 1, log }).auth
  const data = createStores(database)
  const number = async (text: string) => (await admin.query<{ value: number }>(text)).rows[0]?.value ?? 0
  const bytes = () => number('SELECT pg_database_size(current_database())::float8 AS value')
  const cpu = cpuTimeOf(await number('SELECT pg_backend_pid() AS value'))
  // Until everything is compiled; it is in what is taken for empty.
  await addTenant(data, 0)
  await admin.query('VACUUM (FULL, ANALYZE)')
  const tenants: Tenant[] = []
  const empty = await bytes()
  const at: Measured[] = []
  let cpuMs = 0
  for (const count of wanted) {
    const cpuBefore = cpu()
    while (tenants.length < count) {
      tenants.push(await addTenant(data, Number(values.seed) + tenants.length))
      if (!values.json) process.stderr.write(`\rtenant ${tenants.length} of ${count}   `)
    }
    cpuMs += cpu() - cpuBefore
    await admin.query('VACUUM (FULL, ANALYZE)')
    at.push({ tenants: count, bytes: await bytes(), cpuMs, answersMs: await answers(data, tenants) })
  }
  await data.close()
  await database.close()
  return { empty, at }
}

interface Tenant {
  caller: Caller
  projectId: string
  runIds: string[]
  benchmarkId: string
}

type Data = ReturnType<typeof createStores>

async function addTenant({ identity, stores }: Data, seed: number): Promise<Tenant> {
  const userId = newId('user')
  const workspaceId = newId('workspace')
  await identity.createUser(
    { id: userId, email: `${userId}@example.com`, name: 'Bench', passwordHash: null },
    { id: workspaceId, slug: workspaceId.replace('_', '-'), name: 'Bench' },
  )
  const principal = {
    userId,
    via: 'session',
    clientId: 'web',
    clientName: 'Bench',
    scopes: ['read', 'write'],
  } as const
  const caller: Caller = { principal, roles: new Map([[workspaceId, 'owner']]), access: 'write' }
  const { id: projectId } = await stores.projects.create(caller, {
    id: newId('project'),
    workspaceId,
    slug: 'bench',
    name: 'Bench',
    description: '',
    tags: [],
    repository: null,
  })
  const runIds: string[] = []
  for (let run = 0; run < tenant.runs; run++) {
    const { id } = await stores.runs.create(caller, {
      workspaceId,
      projectId,
      id: newId('run'),
      branch: 'main',
      commitHash: (seed * 1_000 + run).toString(16).padStart(40, '0'),
      commitMessage: 'Brew',
      pullRequest: null,
      baseBranch: null,
      baseCommitHash: null,
      measurementId: null,
      event: 'push',
      status: 'PENDING',
      tags: [],
      environment: { cpu: 'AMD EPYC 9B14', os: 'linux', arch: 'x64', runtime: 'node 24.21.0' },
      committedAt: null,
    })
    await stores.runs.complete(caller, id, {
      adapter: 'custom',
      warnings: [],
      environment: {},
      results: makeResults(tenant.benchmarks, { seed: seed * 1_000 + run, rounds: 10 }),
    })
    runIds.push(id)
  }
  const [result] = await stores.runs.listResults(caller, runIds[0] ?? '')
  return { caller, projectId, runIds, benchmarkId: result?.benchmarkId ?? '' }
}

/** The median time of what agents and pages ask most, of tenants drawn by chance. */
async function answers({ stores }: Data, tenants: readonly Tenant[]): Promise<Record<string, number>> {
  const random = seededRandom(7)
  const drawn = Array.from({ length: asked }, () => tenants[Math.floor(random() * tenants.length)]).flatMap(
    (each) => each ?? [],
  )
  const page = { limit: 25, after: undefined }
  const questions: Record<string, (tenant: Tenant) => Promise<unknown>> = {
    'runs of a project': ({ caller, projectId }) => stores.runs.list(caller, projectId, page, {}),
    'newest run of a branch': ({ caller, projectId }) =>
      stores.runs.findLatest(caller, { projectId, branch: 'main' }),
    'benchmarks of a project': ({ caller, projectId }) => stores.benchmarks.list(caller, projectId, page),
    'results of two runs': ({ caller, runIds }) => stores.runs.listResultsOf(caller, runIds.slice(0, 2)),
    'history of a benchmark': ({ caller, benchmarkId }) =>
      stores.benchmarks.history(caller, benchmarkId, { limit: 1_000 }),
  }
  const medians: Record<string, number> = {}
  for (const [name, ask] of Object.entries(questions)) {
    const times: number[] = []
    for (const each of [...drawn.slice(0, 20), ...drawn]) {
      const startedAt = performance.now()
      await ask(each)
      times.push(performance.now() - startedAt)
    }
    medians[name] = median(times.slice(20))
  }
  return medians
}

/** The model: bytes and processor time grow with the results, and answers do not. */
function rowsOf(empty: number, [first, last]: readonly Measured[]): Row[] {
  if (first === undefined || last === undefined) return []
  const times = last.tenants / first.tenants
  const results = last.tenants * tenant.runs * tenant.benchmarks
  return [
    row(`MB of ${results} results`, (last.bytes - empty) / 1e6, (times * (first.bytes - empty)) / 1e6),
    row(
      'bytes of a result, all told',
      (last.bytes - empty) / results,
      (times * (first.bytes - empty)) / results,
    ),
    row(
      'results stored per CPU-second',
      (1000 * results) / last.cpuMs,
      (1000 * results) / (times * first.cpuMs),
    ),
    ...Object.entries(last.answersMs).map(([name, ms]) => row(`${name}, ms`, ms, first.answersMs[name] ?? 0)),
  ]
}

function row(metric: string, ours: number, theirs: number): Row {
  return { bench: 'capacity', metric, ours, theirs, ratio: ours / theirs }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}
