import { newId } from '@flamegate/contract'
import { plainRun, preparePeople } from '@flamegate/db/testing'
import type { NewAlert } from '@flamegate/operations/ports'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { badgeRoutes } from './badge-routes.ts'

const token = 'ab'.repeat(16)

const { at, ada, asAda, createProject } = preparePeople()
let app: FastifyInstance
let shown: string
let hidden: string

beforeAll(async () => {
  shown = await createMeasured('shown')
  hidden = await createMeasured('hidden')
  await at.stores.badges.set(asAda(), { workspaceId: ada.workspaceId, projectId: shown }, token)
  app = fastify()
  await app.register(badgeRoutes(at.stores))
})
afterAll(() => app?.close())

/** With a run of `main`, of a benchmark that is named after it. */
async function createMeasured(slug: string): Promise<string> {
  const projectId = await createProject({ slug, name: slug })
  const run = await at.stores.runs.create(asAda(), {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId,
  })
  const result = {
    uri: `bench::${slug}`,
    name: `bench-${slug}`,
    instrument: 'walltime',
    metric: 'time',
    betterWhen: 'lower',
    value: 100,
    unit: 'ns',
    stats: {},
  } as const
  const results = [{ ...result, metrics: [] }]
  const outcome = { adapter: 'codspeed', warnings: [], environment: {}, results }
  await at.stores.runs.complete(asAda(), run.id, outcome)
  return projectId
}

async function look(query: Record<string, string> = {}, file = `${token}.svg`) {
  const { statusCode, headers, body } = await app.inject({ url: `/v1/badges/${file}`, query })
  return { statusCode, headers, title: /<title>(.*)<\/title>/.exec(body)?.[1] }
}

const benchmarkOf = async (projectId: string, slug: string) =>
  (await at.stores.benchmarks.findByUri(asAda(), projectId, `bench::${slug}`))?.id ?? ''

test('a badge shows benchmarks of its own project and of no other one of the workspace', async () => {
  const own = await look({ benchmark: await benchmarkOf(shown, 'shown') })
  expect(own.title).toBe('bench-shown: 100 ns')
  for (const reference of [await benchmarkOf(hidden, 'hidden'), 'bench::hidden']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await look({ benchmark: reference })).toMatchObject({
      statusCode: 200,
      title: 'performance: no such benchmark',
    })
  }
})

test('a regression is told of also when a hundred improvements came after it', async () => {
  const projectId = await createMeasured('improved')
  const tokenOfIt = 'cd'.repeat(16)
  await at.stores.badges.set(asAda(), { workspaceId: ada.workspaceId, projectId }, tokenOfIt)
  const run = await at.stores.runs.findLatest(asAda(), { projectId })
  const benchmarkId = await benchmarkOf(projectId, 'improved')
  const alertOf = (metric: string, verdict: 'regressed' | 'improved'): NewAlert => ({
    benchmarkId,
    metric,
    branch: plainRun.branch,
    test: 'change_point',
    runId: run?.id ?? '',
    raisedByRunId: run?.id ?? '',
    verdict,
    unit: 'ns',
    baseline: 100,
    value: 150,
    crossedLimit: null,
    changePercent: 50,
    reason: 'It changed.',
  })
  const place = { workspaceId: ada.workspaceId, projectId }
  await at.stores.alerts.raise(asAda(), place, [alertOf('time', 'regressed')])
  const improved = Array.from({ length: 100 }, (_, metric) => alertOf(`metric ${metric}`, 'improved'))
  await at.stores.alerts.raise(asAda(), place, improved)
  expect((await look({}, `${tokenOfIt}.svg`)).title).toBe('performance: 1 regression')
})

test('whatever is asked for is answered with a picture that is nothing but one', async () => {
  const queries: Record<string, string>[] = [
    {},
    { branch: '\0' },
    { benchmark: '\0' },
    { branch: 'x'.repeat(5_000) },
    { utm: '1' },
  ]
  for (const query of queries) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { statusCode, headers } = await look(query)
    expect([query, statusCode]).toEqual([query, 200])
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  }
})

test.each(['0'.repeat(32), token.toUpperCase(), `${token}x`, '%00', '..%2f..%2fv1'])(
  'an address that is none, %s, is nothing but unknown',
  async (name) => {
    expect(await look({}, `${name}.svg`)).toMatchObject({ statusCode: 404, title: 'performance: unknown' })
  },
)
