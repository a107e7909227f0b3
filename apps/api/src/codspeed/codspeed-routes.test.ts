import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem, type Caller, type PlanLimits, type Principal } from '@flamegate/contract'
import type { Stores } from '@flamegate/operations/ports'
import { createArchiveLinks, openFolderStorage } from '@flamegate/storage'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codspeedRoutes } from './codspeed-routes.ts'
import { runnersMetadata } from './test-metadata.ts'

const publicUrl = 'http://flamegate.test'
const signingKey = 's'.repeat(32)
const links = createArchiveLinks({ baseUrl: publicUrl, signingKey })
const principal: Principal = {
  userId: 'usr_ada',
  via: 'api_token',
  clientId: 'tok_1',
  clientName: 'CI',
  scopes: ['upload'],
}

let dir = ''
let app: FastifyInstance
let calls: unknown[]
let jobs: unknown[]
let credentials: (string | undefined)[]
let answer: () => Record<string, unknown>
let storageBytes: number

/** A workspace that has stored 90 bytes, and may store `storageBytes`. */
const stores = {
  plans: {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of it is asked
    ofWorkspace: () => ({ id: 'free', title: 'Free', limits: { storage_bytes: storageBytes } as PlanLimits }),
  },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
  usage: {
    countStorageBytes: async ({ roles }: Caller, workspaceId: string) => (roles.has(workspaceId) ? 90 : 0),
  } as Stores['usage'],
}

beforeEach(async () => {
  storageBytes = 1_000
  calls = []
  jobs = []
  credentials = []
  dir = await mkdtemp(join(tmpdir(), 'flamegate-archives-'))
  answer = () => ({
    run_id: 'run_1',
    project_id: 'prj_1',
    upload: {
      method: 'PUT',
      url: `${publicUrl}/upload/ws_1/fil_1?signature=x`,
      headers: {},
      expires_at: '2026-11-21T12:00:00.000Z',
      curl: 'curl',
    },
    task_id: 'tsk_1',
    next_poll_seconds: 2,
    url: `${publicUrl}/runs/run_1`,
  })
  app = fastify({ forceCloseConnections: true })
  await app.register(
    codspeedRoutes({
      links,
      storage: await openFolderStorage({ dir, baseUrl: publicUrl, signingKey }),
      queue: { add: async (name, payload) => void jobs.push({ name, ...payload }) },
      stores,
      limits: { factor: 1 },
      identify: async ({ headers }) => {
        credentials.push(headers.authorization)
        if (headers.authorization === 'Bearer wrong') throw new Problem('unauthenticated', 'It is unknown.')
        return principal
      },
      execute: async (operation, input, origin) => {
        calls.push({ operation: operation.id, input, userId: origin.principal.userId })
        return answer()
      },
    }),
  )
})
afterEach(async () => {
  await app.close()
  await rm(dir, { recursive: true, force: true })
})

const announce = (
  payload: unknown = runnersMetadata(),
  headers: Record<string, string> = { authorization: 'fg_token' },
  url = '/upload',
) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  })

const halves = () => readdir(join(dir, 'incoming'))
const md5 = (bytes: string) => createHash('md5').update(bytes).digest('base64')

describe('an announcement', () => {
  test('is answered with where to put the archive, and the page of the run', async () => {
    const said = await announce()
    expect(said.statusCode).toBe(200)
    expect(said.json()).toEqual({
      status: 'success',
      uploadUrl: `${publicUrl}/upload/ws_1/fil_1?signature=x`,
      runId: 'run_1',
      url: `${publicUrl}/runs/run_1`,
    })
    expect(calls).toMatchObject([
      { operation: 'create_codspeed_upload', input: { repository: 'acme/checkout' }, userId: 'usr_ada' },
    ])
  })

  test('names the project in the query where the repository does not', async () => {
    await announce(undefined, undefined, '/upload?project=prj_2')
    expect(calls).toMatchObject([{ input: { repository: 'prj_2' } }])
  })

  test('takes a token with and without its scheme', async () => {
    await announce(undefined, { authorization: 'fg_token' })
    await announce(undefined, { authorization: 'Bearer fg_token' })
    expect(credentials).toEqual(['Bearer fg_token', 'Bearer fg_token'])
  })

  test.each<[string, unknown, Record<string, string>, number, RegExp]>([
    ['without a token', runnersMetadata({ tokenless: true }), {}, 401, /CODSPEED_TOKEN/],
    ['with a wrong token', runnersMetadata(), { authorization: 'wrong' }, 401, /unknown/],
    ['of something else', { hello: 'world' }, { authorization: 'fg_token' }, 400, /codspeed run.* owner:/],
    ['that is no object', 'hello', { authorization: 'fg_token' }, 400, /codspeed run/],
  ])('%s is refused in the words that the runner prints', async (_what, payload, headers, status, words) => {
    const said = await announce(payload, headers)
    expect(said.statusCode).toBe(status)
    expect(Object.keys(said.json())).toEqual(['error'])
    expect(said.json<{ error: string }>().error).toMatch(words)
    expect(calls).toEqual([])
  })

  test('that the platform refuses is refused in the same words', async () => {
    answer = () => {
      throw new Problem('repository_not_found', 'You see no repository or project acme/checkout.')
    }
    const said = await announce()
    expect(said.statusCode).toBe(404)
    expect(said.json()).toEqual({ error: 'You see no repository or project acme/checkout.' })
  })

  test('that fails for a defect says nothing of it', async () => {
    answer = () => {
      throw new TypeError('secret')
    }
    const said = await announce()
    expect(said.statusCode).toBe(500)
    expect(said.body).not.toContain('secret')
  })
})

describe('an archive', () => {
  const archive = 'a tar archive'
  const address = (expiresInMs = 60_000) =>
    links
      .urlOf({
        key: 'ws_1/fil_1',
        taskId: 'tsk_1',
        md5: md5(archive),
        expiresAt: new Date(Date.now() + expiresInMs),
      })
      .replace(publicUrl, '')
  const put = (url: string, payload = archive, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/x-tar', 'content-md5': md5(archive), ...headers },
      payload,
    })
  const job = { name: 'import_results', taskId: 'tsk_1', workspaceId: 'ws_1' }

  test('is read as soon as it is there', async () => {
    expect((await put(address())).statusCode).toBe(200)
    expect(jobs).toMatchObject([job])
  })

  test('that is compressed is taken as it is', async () => {
    expect((await put(address(), archive, { 'content-encoding': 'gzip' })).statusCode).toBe(200)
    expect(jobs).toMatchObject([job])
  })

  test('may come again, for the runner repeats what got no answer, and then nothing is stored', async () => {
    const url = address()
    await put(url)
    // Were they read, they would be refused: they are others.
    expect((await put(url, 'other content')).statusCode).toBe(200)
    expect(jobs).toMatchObject([job, job])
  })

  test('for which the workspace has no room is not stored, unless it is there already', async () => {
    storageBytes = 90 + archive.length - 1
    const refused = await put(address())
    expect([refused.statusCode, refused.body]).toEqual([
      402,
      expect.stringContaining('no room for 13 B more'),
    ])
    expect(jobs).toEqual([])
    storageBytes += 1
    expect((await put(address())).statusCode).toBe(200)
    storageBytes = 0
    expect((await put(address())).statusCode).toBe(200)
    expect(jobs).toMatchObject([job, job])
  })

  test('that breaks off leaves nothing behind, and may be sent again', async () => {
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const url = address()
    const sending = request(`${origin}${url}`, {
      method: 'PUT',
      headers: { 'content-md5': md5(archive), 'content-length': archive.length },
    })
    sending.on('error', () => {})
    sending.write(archive.slice(0, 5))
    await expect.poll(halves).toHaveLength(1)
    sending.destroy()
    await expect.poll(halves).toEqual([])
    expect(jobs).toEqual([])
    expect((await put(url)).statusCode).toBe(200)
    expect(jobs).toMatchObject([job])
  })

  test.each<[string, () => Promise<{ statusCode: number; body: string }>, number, RegExp]>([
    ['of another MD5', () => put(address(), archive, { 'content-md5': md5('x') }), 400, /with the MD5/],
    ['of other bytes', () => put(address(), 'a tar ARCHIVE'), 400, /damaged.*another MD5/],
    ['at an address that has expired', () => put(address(-1)), 401, /expired/],
    ['at an address for another', () => put(address().replace('fil_1', 'fil_2')), 401, /not valid/],
    ['at no address', () => put('/upload/ws_1/fil_1'), 401, /not valid/],
    [
      'that is too large',
      () => put(address(), archive, { 'content-length': '600000000' }),
      413,
      /600000000 bytes/,
    ],
    ['without a size', () => put(address(), ''), 400, /Content-Length/],
  ])('%s is refused in words that the runner prints', async (_what, sent, status, words) => {
    const said = await sent()
    expect(said.statusCode).toBe(status)
    expect(said.body).toMatch(words)
    expect(jobs).toEqual([])
    // The address still takes the right one.
    expect((await put(address())).statusCode).toBe(200)
  })
})
