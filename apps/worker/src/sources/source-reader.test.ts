import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultImportOptions, readRecording } from '@flamegate/loadtest'
import type { SourceRequest } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { openSourceReader, sourceReaderDefaults } from './source-reader.ts'

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += 100) yield bytes.subarray(start, start + 100)
}

const request = (format: string, text: string, change: Partial<SourceRequest> = {}): SourceRequest => ({
  format,
  options: defaultImportOptions,
  content: pieces(text),
  isVerified: () => true,
  ...change,
})

/** A recording of one answered request for each address. */
function har(...urls: string[]): string {
  const entries = urls.map((url, second) => ({
    startedDateTime: `2026-11-20T10:00:0${second}.000Z`,
    time: 20,
    request: {
      method: 'GET',
      url,
      httpVersion: 'HTTP/1.1',
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'content-type', value: 'text/html' }],
      cookies: [],
      content: { size: 5, mimeType: 'text/html', text: 'hello' },
      redirectURL: '',
      headersSize: -1,
      bodySize: 5,
    },
    cache: {},
    timings: { send: 1, wait: 18, receive: 1 },
  }))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })
}

/** A thread that does what the code says. */
const threadThat = (code: string) => ({
  ...sourceReaderDefaults,
  threadFile: new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`,
  ),
})

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"log":')
  throw new Error('called off')
}

test('a source is read in a thread, which asks what it needs to know, and its exchanges are kept until released', async () => {
  const asked: string[] = []
  const text = har('https://shop.example.com/', 'https://ads.example.net/x', 'https://shop.example.com/cart')
  const { outcome, recording, release } = await openSourceReader().read(
    request('har', text, {
      isVerified(host) {
        asked.push(host)
        return host === 'shop.example.com'
      },
    }),
  )
  expect(outcome).toMatchObject({ virtualUsers: [{ id: expect.stringMatching(/^vu_/) }] })
  const disabled = [...JSON.stringify(outcome).matchAll(/"disabled_reason":"/g)]
  expect(disabled).toHaveLength(1)
  expect(asked.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['ads.example.net', 'shop.example.com'])

  const index = recording?.index ?? { schemaVersion: 1, exchanges: [] }
  expect(index.exchanges).toHaveLength(3)
  const bytes = await buffer(recording?.open() ?? pieces(''))
  expect(recording).toMatchObject({
    sizeBytes: bytes.length,
    md5: createHash('md5').update(bytes).digest('base64'),
  })
  const urls: string[] = []
  for await (const exchange of readRecording(recording?.open() ?? pieces(''), index))
    urls.push(exchange.request.url)
  expect(urls).toEqual([
    'https://shop.example.com/',
    'https://ads.example.net/x',
    'https://shop.example.com/cart',
  ])
  await release()
  await expect(buffer(recording?.open() ?? pieces(''))).rejects.toThrow('ENOENT')
})

test.each([
  ['that cannot be read', 'har', '{"log": {"entries": [', /cut off here/],
  ['of an unknown format', 'saz', 'x', /no format that can be imported/],
])('a source %s is refused in words, and nothing is kept', async (_what, format, text, words) => {
  const { outcome, recording, release } = await openSourceReader().read(request(format, text))
  expect(outcome).toEqual({ refused: expect.stringMatching(words) })
  expect(recording).toBeNull()
  await release()
})

test('a thread that takes too long, or too much memory, is ended and the source refused', async () => {
  const slow = openSourceReader({ ...threadThat('for (;;);'), timeoutMs: 300 })
  const hungry = openSourceReader({
    ...threadThat('const all = []; for (;;) all.push(new Array(10_000).fill({}))'),
    heapMegabytes: 32,
  })
  const readings = [await slow.read(request('har', har())), await hungry.read(request('har', har()))]
  await Promise.all(readings.map(({ release }) => release()))
  expect(readings.map(({ outcome }) => outcome)).toEqual([
    { refused: expect.stringContaining('too long') },
    { refused: expect.stringContaining('too much memory') },
  ])
})

test('a defect in the thread is no fault of the source, and leaves no file behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'source-reader-test-'))
  const reader = openSourceReader({ ...threadThat('throw new Error("a defect")'), folder })
  await expect(reader.read(request('har', har()))).rejects.toThrow('a defect')
  expect(await readdir(folder)).toEqual([])
  await rmdir(folder)
})

test('content that fails ends the reading with that failure', async () => {
  const reading = openSourceReader().read(request('har', '', { content: failing() }))
  await expect(reading).rejects.toThrow('called off')
})
