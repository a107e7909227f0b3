import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { dueDeliveries } from '@flamegate/db'
import { plainRun, preparePeople } from '@flamegate/db/testing'
import { deliver as deliverDue, judgeLater } from '@flamegate/operations'
import type { Delivery, Run, Webhook } from '@flamegate/operations/ports'
import { openTestQueue } from '@flamegate/queue/testing'
import { githubApi, postMail, postMessage } from '@flamegate/runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startWorker } from './start-worker.ts'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Messages on their way to a server of our own, and reports to a GitHub of our own. */

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

const publicUrl = 'https://flamegate.example'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const dayMs = 24 * 3_600_000

const { at, ada, asAda, createProject } = preparePeople()
let server: Server
let url: string
let received: Received[]
/** Undefined: none at all. */
let answer: (
  request: Received,
) => { status: number; headers?: Record<string, string>; body?: unknown } | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
      }
      received.push(seen)
      const answered = answer(seen)
      if (answered === undefined) return
      const { status, headers, body } = answered
      response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
beforeEach(() => {
  received = []
  answer = () => ({ status: 204 })
})
afterAll(async () => {
  server?.close().closeAllConnections()
})

const deps = () =>
  lonelyDeps({
    stores: at.stores,
    publicUrl,
    postMessage: (target, message) => postMessage(target, { ...message, allowLoopback: true }),
    sendMail: (letter) => postMail(undefined, letter),
    github: githubApi(url),
  })

let projects = 0
async function createPlace(repository: string | null = null) {
  projects += 1
  return { workspaceId: ada.workspaceId, projectId: await createProject({ name: 'Told', repository }) }
}

function createWebhook(place: { workspaceId: string; projectId: string }): Promise<Webhook> {
  return at.stores.webhooks.create(asAda(), {
    ...place,
    id: `whk_${randomUUID()}`,
    host: new URL(url).host,
    sealedUrl: `${url}/hook`,
    events: ['run.completed', 'alert.opened'],
    isActive: true,
    sealedSecret: secret,
  })
}

async function completeRun(
  projectId: string,
  change: Partial<Run> = {},
  value = 100,
  uri = 'bench::parse',
): Promise<Run> {
  const { id } = await at.stores.runs.create(asAda(), {
    ...plainRun,
    id: `run_${randomUUID()}`,
    workspaceId: ada.workspaceId,
    projectId,
    ...change,
  })
  const result = {
    uri,
    name: 'parse',
    instrument: 'walltime',
    metric: 'time',
    betterWhen: 'lower',
    value,
    unit: 'ns',
    stats: {},
  } as const
  const roundValues = Array.from({ length: 20 }, (_, round) => value + (round % 5) / 10)
  return at.stores.runs.complete(asAda(), id, {
    adapter: 'codspeed',
    warnings: [],
    environment: {},
    results: [{ ...result, metrics: [], roundValues }],
  })
}

async function only(projectId: string): Promise<Delivery> {
  const [delivery] = await at.stores.deliveries.list(asAda(), { projectId }, { limit: 1 })
  if (delivery === undefined) throw new Error('Nothing was told')
  return delivery
}

const deliver = (delivery: Delivery) => deliverDue(delivery, deps())

/** As if its next time had come. */
const hurry = ({ id }: Delivery) =>
  at.database.asCallerSql(asAda(), (client) =>
    client.query('UPDATE deliveries SET next_at = now() WHERE id = $1', [id]),
  )

/** What a receiver does, by the specification and not by our code. */
function isGenuine({ headers, body }: Received, withSecret: string): boolean {
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const key = Buffer.from(withSecret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  const signatures = String(headers['webhook-signature']).split(' ')
  return signatures.some((each) => each === `v1,${expected}`)
}

describe('a webhook', () => {
  test('is told of a run, how it did against its baseline, with a signature', async () => {
    const place = await createPlace('acme/told')
    const base = await completeRun(place.projectId)
    await createWebhook(place)
    const run = await completeRun(place.projectId, { branch: 'fix' }, 150)
    const delivery = await only(place.projectId)
    await deliver(delivery)

    const [message] = received
    expect(message).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: { 'webhook-id': delivery.id, 'content-type': 'application/json; charset=utf-8' },
    })
    expect(message && isGenuine(message, secret)).toBe(true)
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'run.completed',
      version: 1,
      timestamp: delivery.createdAt.toISOString(),
      data: {
        project: {
          id: place.projectId,
          repository: 'acme/told',
          url: `${publicUrl}/projects/${place.projectId}`,
        },
        run: { id: run.id, branch: 'fix', url: `${publicUrl}/runs/${run.id}` },
        base_run: { id: base.id },
        passed: false,
        failure_count: 1,
        verdict_counts: { regressed: 1, unchanged: 0 },
        report_url: `${publicUrl}/runs/${run.id}/report`,
      },
    })
    expect(await at.stores.deliveries.find(asAda(), delivery.id)).toMatchObject({
      attempts: 1,
      nextAt: null,
      responseStatus: 204,
      deliveredAt: expect.any(Date),
    })
    await deliver(delivery)
    expect(received).toHaveLength(1)
  })

  test('that fails is told the same again, later, and counts as well again when it answers', async () => {
    const place = await createPlace()
    const { id } = await createWebhook(place)
    await completeRun(place.projectId)
    const delivery = await only(place.projectId)
    answer = () => ({ status: 500, body: 'broken' })
    await deliver(delivery)
    const failed = await at.stores.deliveries.find(asAda(), delivery.id)
    expect(failed).toMatchObject({ attempts: 1, responseStatus: 500, responseExcerpt: '"broken"' })
    expect(failed?.nextAt?.getTime()).toBeGreaterThan(Date.now() + 3_000)
    expect(await at.stores.webhooks.find(asAda(), id)).toMatchObject({ failingSince: expect.any(Date) })
    await deliver(delivery)
    expect(received).toHaveLength(1)

    answer = () => ({ status: 200 })
    await hurry(delivery)
    await deliver(delivery)
    expect(received.map(({ body }) => body)).toEqual([failed?.body, failed?.body])
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
    expect(await at.stores.webhooks.find(asAda(), id)).toMatchObject({ failingSince: null })
  })

  test('is told later while the pinned baseline is still being read, and without it when it could not be', async () => {
    const place = await createPlace()
    const before = await completeRun(place.projectId)
    const pinned = await at.stores.runs.create(asAda(), { ...plainRun, ...place, id: `run_${randomUUID()}` })
    await at.stores.projects.update(asAda(), place.projectId, { baselineRunId: pinned.id })
    await createWebhook(place)
    await completeRun(place.projectId, { branch: 'fix' })
    await deliver(await only(place.projectId))
    const waiting = await only(place.projectId)
    expect(waiting).toMatchObject({ attempts: 1, nextAt: expect.any(Date), deliveredAt: null })
    expect(waiting.responseExcerpt).toContain(`${pinned.id} is still being read`)
    expect(received).toEqual([])

    await at.stores.runs.fail(asAda(), pinned.id, ['It has no benchmarks'])
    await hurry(waiting)
    await deliver(waiting)
    expect(await only(place.projectId)).toMatchObject({ responseStatus: 204 })
    expect(received.map(({ body }): unknown => JSON.parse(body))).toMatchObject([
      { data: { base_run: { id: before.id } } },
    ])
  })

  test('that asks to be left alone for a while is', async () => {
    const place = await createPlace()
    await createWebhook(place)
    await completeRun(place.projectId)
    answer = () => ({ status: 429, headers: { 'retry-after': '7200' } })
    await deliver(await only(place.projectId))
    expect((await only(place.projectId)).nextAt?.getTime()).toBeGreaterThan(Date.now() + 7_000_000)
  })

  test('is switched off after five days without a delivery, and says why', async () => {
    const place = await createPlace()
    const { id } = await createWebhook(place)
    const since = new Date(Date.now() - 5 * dayMs - 1_000)
    await at.stores.webhooks.update(asAda(), id, { failingSince: since })
    await completeRun(place.projectId)
    answer = () => ({ status: 503 })
    await deliver(await only(place.projectId))
    const webhook = await at.stores.webhooks.find(asAda(), id)
    expect(webhook).toMatchObject({ isActive: false })
    expect(webhook?.offReason).toContain(since.toISOString())
    expect(webhook?.offReason).toContain('503')
    expect(await only(place.projectId)).toMatchObject({ nextAt: null, deliveredAt: null })
  })

  test('that is gone is switched off at once', async () => {
    const place = await createPlace()
    const { id } = await createWebhook(place)
    await completeRun(place.projectId)
    answer = () => ({ status: 410 })
    await deliver(await only(place.projectId))
    expect(await at.stores.webhooks.find(asAda(), id)).toMatchObject({ isActive: false })
  })

  test('gets both signatures for a day after its secret was replaced, and then one', async () => {
    const place = await createPlace()
    const { id } = await createWebhook(place)
    const newer = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    await at.stores.webhooks.update(asAda(), id, {
      sealedSecret: newer,
      sealedPreviousSecret: secret,
      previousSecretUntil: new Date(Date.now() + 60_000),
    })
    await completeRun(place.projectId)
    await deliver(await only(place.projectId))
    await at.stores.webhooks.update(asAda(), id, { previousSecretUntil: new Date(Date.now() - 1) })
    await completeRun(place.projectId)
    await deliver(await only(place.projectId))
    expect(
      [newer, secret].map((withSecret) => received.map((message) => isGenuine(message, withSecret))),
    ).toEqual([
      [true, true],
      [true, false],
    ])
  })

  test('hears within seconds, and keeps no run waiting when it takes its time', async () => {
    const place = await createPlace()
    await createWebhook(place)
    const silent = { info: () => {}, warn: () => {}, error: () => {} }
    const queue = await openTestQueue(at.urls.queueUrl)
    answer = () => undefined
    const workers = startWorker({
      ...deps(),
      queue,
      concurrency: 1,
      sweep: async () => {},
      sweepLive: async () => {},
      judgeLive: async () => {},
      findUnjudged: async () => [],
      findUnmadeFiles: async () => [],
      findForgotten: async () => [],
      findWaitingUploads: async () => [],
      findSchedules: async () => [],
      findOpenRuns: async () => [],
      findDue: () => dueDeliveries(at.database, 100),
      log: silent,
    })
    try {
      const run = await completeRun(place.projectId)
      await expect
        .poll(() => received.map(({ body }) => body.includes(place.projectId)), { timeout: 10_000 })
        .toContain(true)
      const since = run.unjudgedSince ?? new Date(Number.NaN)
      await judgeLater(queue, [{ workspaceId: run.workspaceId, runId: run.id, since }])
      // Long before the message is given up, after 15 seconds.
      await expect
        .poll(async () => (await at.stores.runs.find(asAda(), run.id))?.unjudgedSince, { timeout: 8_000 })
        .toBeNull()
    } finally {
      await workers.close({ deadlineMs: 1_000 })
      await queue.close()
    }
  })
})

const requests = () => received.map(({ method, path }) => `${method} ${path}`)
const bodies = () => received.map(({ body }): unknown => (body === '' ? undefined : JSON.parse(body)))

/** A pull request that has these comments. */
const withComments =
  (...comments: unknown[]) =>
  ({ method, path }: Received) => {
    if (path === '/user') return { status: 200, body: { id: 1 } }
    return method === 'GET' ? { status: 200, body: comments } : { status: 201, body: { id: 99 } }
  }

describe('GitHub', () => {
  const token = 'github_pat_0123456789abcdef'
  const commitHash = 'abcdef0123456789abcdef0123456789abcdef01'

  async function reported(wishes: { setsStatus: boolean; comments: boolean }, value = 150) {
    const place = await createPlace(`acme/told-${projects}`)
    await completeRun(place.projectId)
    await at.stores.githubReports.set(asAda(), { ...place, sealedToken: token, ...wishes })
    const run = await completeRun(place.projectId, { branch: 'fix', pullRequest: 7, commitHash }, value)
    await deliver(await only(place.projectId))
    const project = await at.stores.projects.find(asAda(), place.projectId)
    return { ...place, run, repository: project?.repository, slug: project?.slug }
  }
  test('gets a commit status and a comment', async () => {
    answer = withComments({ id: 5, user: { id: 2 }, body: 'Nice' })
    const { repository, slug, run, projectId } = await reported({ setsStatus: true, comments: true })
    expect(requests()).toEqual([
      `POST /repos/${repository}/statuses/${commitHash}`,
      'GET /user',
      `GET /repos/${repository}/issues/7/comments?per_page=100&page=1`,
      `POST /repos/${repository}/issues/7/comments`,
    ])
    expect(received[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'Flamegate',
    })
    expect(bodies()[0]).toEqual({
      state: 'failure',
      target_url: `${publicUrl}/runs/${run.id}/report`,
      description: '1 of 1 benchmarks did not pass.',
      context: `flamegate/${slug}`,
    })
    expect(bodies()[3]).toEqual({
      body: expect.stringMatching(new RegExp(`^<!-- flamegate ${projectId} -->\n## ❌ Failed`)),
    })
    expect(await only(projectId)).toMatchObject({ deliveredAt: expect.any(Date), responseStatus: 201 })
  })

  test('is shown names as names, whatever is written in them', async () => {
    answer = withComments()
    const place = await createPlace('acme/names')
    const named = { uri: '@acme/all <img src=x> | [x](https://x.example) `', branch: '@acme/all' }
    await completeRun(place.projectId, {}, 100, named.uri)
    await at.stores.githubReports.set(asAda(), {
      ...place,
      sealedToken: token,
      setsStatus: false,
      comments: true,
    })
    const ofPullRequest = {
      branch: named.branch,
      pullRequest: 7,
      commitHash,
      environment: { '@acme/all': 'x' },
    }
    await completeRun(place.projectId, ofPullRequest, 150, named.uri)
    await deliver(await only(place.projectId))
    const { body } = z.object({ body: z.string() }).parse(bodies().at(-1))
    expect(body).toContain('acme/all')
    expect(body).toContain('Failed: one')
    // What is left without code spans has nothing of it.
    expect(body.replaceAll(/`[^`\n]*`/g, '')).not.toMatch(/@acme|<img|x\.example/)
  })

  test('keeps one comment, which is ours, whoever else wrote our mark', async () => {
    const place = await createPlace('acme/one-comment')
    const mark = `<!-- flamegate ${place.projectId} -->\n`
    answer = withComments(
      { id: 5, user: { id: 2 }, body: `${mark}forged` },
      { id: 6, user: { id: 1 }, body: `${mark}of before` },
    )
    await at.stores.githubReports.set(asAda(), {
      ...place,
      sealedToken: token,
      setsStatus: false,
      comments: true,
    })
    await completeRun(place.projectId, { branch: 'fix', pullRequest: 7, commitHash })
    await deliver(await only(place.projectId))
    expect(requests().at(-1)).toBe('PATCH /repos/acme/one-comment/issues/comments/6')
    expect(requests()).not.toContain('POST /repos/acme/one-comment/issues/7/comments')
  })

  test('is told of an older run by its status alone', async () => {
    const place = await createPlace('acme/older')
    await at.stores.githubReports.set(asAda(), {
      ...place,
      sealedToken: token,
      setsStatus: true,
      comments: true,
    })
    answer = withComments()
    await completeRun(place.projectId, { branch: 'fix', pullRequest: 7, commitHash })
    const older = await only(place.projectId)
    await completeRun(place.projectId, {
      branch: 'fix',
      pullRequest: 7,
      commitHash: `${commitHash.slice(1)}2`,
    })
    await deliver(older)
    expect(requests()).toEqual([`POST /repos/acme/older/statuses/${commitHash}`])
    expect(bodies()[0]).toMatchObject({ state: 'success' })
  })

  test('hears nothing of a run after a later one of the same commit, which may come first', async () => {
    const place = await createPlace('acme/again')
    await at.stores.githubReports.set(asAda(), {
      ...place,
      sealedToken: token,
      setsStatus: true,
      comments: true,
    })
    answer = withComments()
    const of = { branch: 'fix', pullRequest: 7, commitHash }
    await completeRun(place.projectId, of)
    const older = await only(place.projectId)
    const newer = await completeRun(place.projectId, of, 150)
    await deliver(await only(place.projectId))
    received = []
    await deliver(older)
    expect(requests()).toEqual([])
    expect(newer.commitHash).toBe(commitHash)
  })

  test('that refuses the token is not asked again, and its words are kept', async () => {
    answer = () => ({ status: 401, body: { message: 'Bad credentials' } })
    const { projectId } = await reported({ setsStatus: true, comments: true })
    expect(received).toHaveLength(1)
    expect(await only(projectId)).toMatchObject({
      nextAt: null,
      deliveredAt: null,
      responseStatus: 401,
      responseExcerpt: 'Bad credentials',
    })
  })

  test('that is away is asked again later', async () => {
    answer = () => ({ status: 502 })
    const { projectId } = await reported({ setsStatus: true, comments: false })
    expect(await only(projectId)).toMatchObject({ nextAt: expect.any(Date), responseStatus: 502 })
    answer = () => ({ status: 403, headers: { 'retry-after': '7200' } })
    const limited = await reported({ setsStatus: true, comments: false })
    expect((await only(limited.projectId)).nextAt?.getTime()).toBeGreaterThan(Date.now() + 7_000_000)
  })
})
