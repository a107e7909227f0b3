import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '@flamegate/contract'
import type { ListedObject, ObjectStorage, PresignedRequest } from '@flamegate/operations/ports'
import { openFolderStorage } from './folder-storage.ts'
import { objectRoutes } from './object-routes.ts'
import { openS3Storage } from './s3-storage.ts'
import { startS3TestServer } from './s3-test-server.ts'

interface Opened {
  storage: ObjectStorage
  close: () => Promise<void>
}

async function openFolder(dir: string): Promise<Opened> {
  // A client keeps connections that it has done with, and the end would wait for those that ended only just now.
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((error, _request, reply) =>
    error instanceof Problem
      ? reply.code(error.status).type('application/problem+json').send(error.toDetails('/problems'))
      : reply.code(500).send(String(error)),
  )
  const signingKey = 'k'.repeat(32)
  // The links have to name the port, and the port is known when the server listens: one storage for each.
  const served = await openFolderStorage({ dir, baseUrl: 'http://unused', signingKey })
  await app.register(objectRoutes(served))
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  return { storage: await openFolderStorage({ dir, baseUrl, signingKey }), close: () => app.close() }
}

async function openS3(directory: string): Promise<Opened> {
  const { close, ...server } = await startS3TestServer(directory)
  const storage = openS3Storage({ ...server, forcePathStyle: true })
  return {
    storage,
    close: async () => {
      storage.close()
      await close()
    },
  }
}

const newKey = () => `ws_${randomUUID()}/fil_${randomUUID()}`
const send = ({ method, url, headers }: PresignedRequest, body?: string | Uint8Array<ArrayBuffer>) =>
  fetch(url, { method, headers, body })
const md5 = (text: string) => createHash('md5').update(text).digest('base64')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('an ')
  throw new Error('hung up')
}

describe.each([
  { kind: 'a folder', open: openFolder },
  { kind: 'S3', open: openS3 },
])('storage in $kind', ({ open }) => {
  let dir = ''
  let opened: Opened
  let storage: ObjectStorage

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'flamegate storage '))
    opened = await open(dir)
    storage = opened.storage
  })
  afterAll(async () => {
    await opened.close()
    await rm(dir, { recursive: true, force: true })
  })

  const uploadOf = (key: string, sizeBytes: number, expiresInS = 60) =>
    storage.presignUpload(key, { sizeBytes, contentType: 'application/json', expiresInS })
  const downloadOf = (key: string) =>
    storage.presignDownload(key, {
      fileName: 'results.json',
      contentType: 'application/json',
      expiresInS: 60,
    })

  test('what is uploaded through a link can be found, read and downloaded through another', async () => {
    const key = newKey()
    const upload = await uploadOf(key, 7)
    expect(Date.parse(upload.expiresAt) - Date.now()).toBeGreaterThan(55_000)
    expect((await send(upload, '{"a":1}')).ok).toBe(true)
    expect(await storage.find(key)).toMatchObject({ sizeBytes: 7 })
    expect(Buffer.from(await storage.read(key, { maxBytes: 7 })).toString()).toBe('{"a":1}')

    const answer = await send(await downloadOf(key))
    expect(await answer.text()).toBe('{"a":1}')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="results.json"')
  })

  test('a large object goes through in both directions', async () => {
    const key = newKey()
    const bytes = new Uint8Array(6_000_000).map((_value, index) => (index * 7) % 251)
    expect((await send(await uploadOf(key, bytes.length), bytes)).ok).toBe(true)
    const answer = await send(await downloadOf(key))
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(bytes))
  })

  test('an empty object is an object', async () => {
    const key = newKey()
    expect((await send(await uploadOf(key, 0), '')).ok).toBe(true)
    expect(await storage.find(key)).toMatchObject({ sizeBytes: 0 })
  })

  test('write() stores, knows size and hash, and replaces', async () => {
    const key = newKey()
    await storage.write(key, Buffer.from('first'), { contentType: 'text/plain' })
    const stored = await storage.write(key, Buffer.from('second!'), { contentType: 'text/plain' })
    expect(stored).toEqual({ sizeBytes: 7, sha256: sha256('second!') })
    expect(await storage.find(key)).toEqual(stored)
    expect(Buffer.from(await storage.read(key, { maxBytes: 100 })).toString()).toBe('second!')
  })

  const received = (key: string, chunks: string[], announced: string) =>
    storage.receive(key, Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
      sizeBytes: announced.length,
      md5: md5(announced),
      contentType: 'application/x-tar',
    })

  test('receive() streams an object in, and leaves one alone that is there', async () => {
    const key = newKey()
    await received(key, ['an ', 'archive'], 'an archive')
    expect(Buffer.from(await storage.read(key, { maxBytes: 100 })).toString()).toBe('an archive')
    await received(key, ['another'], 'another')
    expect(await storage.find(key)).toMatchObject({ sizeBytes: 10 })
  })

  test.each([
    ['are others', ['an Archive']],
    ['are more', ['an archive', '!']],
    ['are fewer', ['an arch']],
  ])('receive() stores nothing when the bytes %s than announced', async (_how, chunks) => {
    const key = newKey()
    await expect(received(key, chunks, 'an archive')).rejects.toThrow(RangeError)
    expect(await storage.find(key)).toBeUndefined()
  })

  test('receive() stores nothing of what breaks off', async () => {
    const key = newKey()
    const options = { sizeBytes: 10, md5: md5('an archive'), contentType: 'application/x-tar' }
    await expect(storage.receive(key, broken(), options)).rejects.toThrow('hung up')
    expect(await storage.find(key)).toBeUndefined()
  })

  test('read() refuses what is larger than asked for, and what is not there', async () => {
    const key = newKey()
    await storage.write(key, Buffer.from('123456'), { contentType: 'text/plain' })
    await expect(storage.read(key, { maxBytes: 5 })).rejects.toThrow(RangeError)
    await expect(storage.read(newKey(), { maxBytes: 5 })).rejects.toThrow(Error)
  })

  test('open() gives the content as it comes, and nothing for what is not there', async () => {
    const key = newKey()
    await storage.write(key, Buffer.alloc(300_000, 'x'), { contentType: 'text/plain' })
    const content = await storage.open(key)
    if (content === undefined) throw new Error('it is there')
    let sizeBytes = 0
    for await (const chunk of content) sizeBytes += chunk.byteLength
    expect(sizeBytes).toBe(300_000)
    expect(await storage.open(newKey())).toBeUndefined()
  })

  test('remove() removes, and does not mind when there is nothing', async () => {
    const key = newKey()
    await storage.write(key, Buffer.from('x'), { contentType: 'text/plain' })
    await storage.remove(key)
    await storage.remove(key)
    expect(await storage.find(key)).toBeUndefined()
    expect((await send(await downloadOf(key))).status).toBe(404)
  })

  test('list() gives every object once, and nothing that was removed', async () => {
    const keys = Array.from({ length: 5 }, newKey)
    for (const key of keys) await storage.write(key, Buffer.from('1234'), { contentType: 'text/plain' })
    await storage.remove(keys[4] ?? '')
    const listed: ListedObject[] = []
    for await (const object of storage.list()) listed.push(object)
    const ours = listed.filter(({ key }) => keys.includes(key))
    expect(ours.map(({ key }) => key).toSorted()).toEqual(keys.slice(0, 4).toSorted())
    expect(new Set(listed.map(({ key }) => key)).size).toBe(listed.length)
    for (const { sizeBytes, storedAt } of ours) {
      expect(sizeBytes).toBe(4)
      expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000)
    }
  })

  test('find() gives undefined for what was never uploaded', async () => {
    expect(await storage.find(newKey())).toBeUndefined()
  })

  test.each([
    '../../etc/passwd',
    'ws_1/../ws_2/x',
    'ws_1',
    'ws_1/a/b',
    'ws_1/a.sha256',
    '/ws_1/a',
    'ws_1/',
    '',
  ])('the key %j is refused', async (key) => {
    await expect(uploadOf(key, 1)).rejects.toThrow(TypeError)
    await expect(downloadOf(key)).rejects.toThrow(TypeError)
    await expect(storage.find(key)).rejects.toThrow(TypeError)
    await expect(storage.read(key, { maxBytes: 1 })).rejects.toThrow(TypeError)
    await expect(storage.write(key, Buffer.from('x'), { contentType: 'a/b' })).rejects.toThrow(TypeError)
    await expect(storage.remove(key)).rejects.toThrow(TypeError)
  })

  test.each([
    ['another method', (link: PresignedRequest) => ({ ...link, method: 'GET' as const, body: undefined })],
    ['another key', (link: PresignedRequest) => ({ ...link, url: link.url.replace('/fil_', '/fil_x') })],
    [
      'a longer life',
      (link: PresignedRequest) => ({ ...link, url: link.url.replace(/(xpires=)\d/i, '$19') }),
    ],
    [
      'another signature',
      (link: PresignedRequest) => ({ ...link, url: link.url.replace(/(ignature=).{6}/, '$1AAAAAA') }),
    ],
    ['no signature', (link: PresignedRequest) => ({ ...link, url: link.url.split('?')[0] ?? '' })],
    [
      'another content type',
      (link: PresignedRequest) => ({ ...link, headers: { 'content-type': 'text/html' } }),
    ],
  ])('a link changed to %s is refused', async (_change, change) => {
    const link = await uploadOf(newKey(), 4)
    const changed = change(link)
    const answer = await send(changed, changed.method === 'GET' ? undefined : 'true')
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  test('an expired link is refused', async () => {
    const key = newKey()
    const link = await uploadOf(key, 4, 1)
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    expect((await send(link, 'true')).ok).toBe(false)
    expect(await storage.find(key)).toBeUndefined()
  })

  test.each([
    ['shorter', 'abc'],
    ['longer', 'abcde'],
  ])('a body that is %s than announced is refused', async (_kind, body) => {
    const key = newKey()
    expect((await send(await uploadOf(key, 4), body)).ok).toBe(false)
    expect(await storage.find(key)).toBeUndefined()
  })

  test('names outside of ASCII survive a download, and cannot break out of the header', async () => {
    const key = newKey()
    await storage.write(key, Buffer.from('x'), { contentType: 'text/plain' })
    const link = await storage.presignDownload(key, {
      fileName: 'Ergebnis ü"\r\nx: y.txt',
      contentType: 'text/plain',
      expiresInS: 60,
    })
    const answer = await send(link)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Ergebnis ____x: y.txt"; filename*=UTF-8''Ergebnis%20%C3%BC%22%0D%0Ax%3A%20y.txt`,
    )
    expect(answer.headers.get('x')).toBeNull()
  })

  test('an upload link is for one upload', async () => {
    const link = await uploadOf(newKey(), 4)
    expect((await send(link, 'true')).ok).toBe(true)
    expect((await send(link, 'null')).ok).toBe(false)
  })
})

test('a download link of a folder is for one download, also when several come at once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'flamegate-once-'))
  const { storage, close } = await openFolder(dir)
  try {
    const key = newKey()
    await storage.write(key, Buffer.from('once'), { contentType: 'text/plain' })
    const link = await storage.presignDownload(key, {
      fileName: 'once.txt',
      contentType: 'text/plain',
      expiresInS: 60,
    })
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(link)))
    // A connection whose answer nobody reads would hold up the server's end.
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual(['200', '409', '409', '409'])
  } finally {
    await close()
    await rm(dir, { recursive: true, force: true })
  }
})
