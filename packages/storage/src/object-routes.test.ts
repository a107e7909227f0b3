import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '@flamegate/contract'
import type { PresignedRequest } from '@flamegate/operations/ports'
import { openFolderStorage } from './folder-storage.ts'
import type { FolderStorage } from './folder-storage.ts'
import { objectRoutes } from './object-routes.ts'

let dir = ''
let storage: FolderStorage
let app: FastifyInstance

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flamegate-objects-'))
  storage = await openFolderStorage({ dir, baseUrl: 'http://flamegate.test/', signingKey: 's'.repeat(32) })
  // Connections whose refused body is still arriving are not waited for.
  app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((error, _request, reply) =>
    error instanceof Problem
      ? reply.code(error.status).type('application/problem+json').send(error.toDetails('/problems'))
      : reply.code(500).send(String(error)),
  )
  await app.register(objectRoutes(storage))
})
afterEach(async () => {
  await app.close()
  await rm(dir, { recursive: true, force: true })
})

const key = 'ws_1/fil_1'
const upload = (sizeBytes = 5) =>
  storage.presignUpload(key, { sizeBytes, contentType: 'text/plain', expiresInS: 60 })
const inject = ({ method, url, headers }: PresignedRequest, payload?: string) =>
  app.inject({ method, url: url.replace('http://flamegate.test', ''), headers, payload })

test('an upload answers with size and hash', async () => {
  const answer = await inject(await upload(), 'hello')
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toEqual({ size_bytes: 5, sha256: createHash('sha256').update('hello').digest('hex') })
  expect(await storage.find(key)).toEqual({ sizeBytes: 5, sha256: answer.json<{ sha256: string }>().sha256 })
})

test('a download is saved, not shown, and never kept by caches', async () => {
  await storage.write(key, Buffer.from('<script>'), { contentType: 'text/html' })
  const link = await storage.presignDownload(key, {
    fileName: 'a.html',
    contentType: 'text/html',
    expiresInS: 60,
  })
  const answer = await inject(link)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html',
    'content-length': '8',
    'content-disposition': `attachment; filename="a.html"; filename*=UTF-8''a.html`,
    'access-control-allow-origin': '*',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
  })
  expect(answer.body).toBe('<script>')
})

test.each([
  ['too many bytes', 'hello!', 413, 'too_large'],
  ['too few bytes', 'hell', 400, 'invalid_input'],
])('%s are refused and leave nothing behind', async (_kind, body, status, code) => {
  const answer = await inject(await upload(), body)
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.json()).toMatchObject({ status, code })
  expect(await readdir(join(dir, 'incoming'))).toEqual([])
  expect(await storage.find(key)).toBeUndefined()
  // The link was not used up by the attempt.
  expect((await inject(await upload(), 'hello')).statusCode).toBe(201)
})

test('a link stays used when its object is removed', async () => {
  const link = await upload()
  expect((await inject(link, 'hello')).statusCode).toBe(201)
  await storage.remove(key)
  expect((await inject(link, 'again')).json()).toMatchObject({ status: 409, code: 'conflict' })
})

test('a body of unknown length is counted while it streams, and the refusal still arrives', async () => {
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const link = await upload(1_000_000)
  const tooMuch = Array.from({ length: 30 }, () => Buffer.alloc(100_000))
  const answer = await fetch(link.url.replace('http://flamegate.test', baseUrl), {
    method: 'PUT',
    headers: link.headers,
    body: ReadableStream.from(tooMuch),
    duplex: 'half',
  })
  expect(answer.status).toBe(413)
  expect(await readdir(join(dir, 'incoming'))).toEqual([])
})

test('of two uploads at the same time one wins, whole', async () => {
  const links = await Promise.all([upload(), upload()])
  const answers = await Promise.all(links.map((link, index) => inject(link, index === 0 ? 'first' : 'other')))
  expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
  const winner = answers.find((answer) => answer.statusCode === 201)
  expect(await storage.find(key)).toEqual({ sizeBytes: 5, sha256: winner?.json<{ sha256: string }>().sha256 })
  expect(await readdir(join(dir, 'incoming'))).toEqual([])
})

test('a client that breaks off leaves nothing behind', async () => {
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const link = await upload(1_000_000)
  const outgoing = request(link.url.replace('http://flamegate.test', baseUrl), {
    method: 'PUT',
    headers: { ...link.headers, 'content-length': '1000000' },
  })
  outgoing.on('error', () => {})
  outgoing.write(Buffer.alloc(100_000))
  await expect.poll(() => readdir(join(dir, 'incoming'))).toHaveLength(1)
  outgoing.destroy()
  await expect.poll(() => readdir(join(dir, 'incoming'))).toEqual([])
  expect(await storage.find(key)).toBeUndefined()
})

test.each([
  '/v1/objects/ws_1/..%2f..%2fetc',
  '/v1/objects/%2e%2e/x',
  '/v1/objects/ws_1%2ffil_1',
  '/v1/objects/',
])('%s gets no further than the signature', async (url) => {
  const answer = await app.inject({ method: 'GET', url })
  expect(answer.statusCode).toBe(url.includes('%2e') ? 404 : 401)
})

test('the wrong content type is named', async () => {
  const link = await upload()
  const answer = await inject({ ...link, headers: { 'content-type': 'text/html' } }, 'hello')
  expect(answer.json()).toMatchObject({
    code: 'unsupported_media_type',
    detail: 'Send the content-type text/plain with this link.',
  })
})
