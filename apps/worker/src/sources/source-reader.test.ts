import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultImportOptions, readRecording, type Exchange } from '@flamegate/loadtest'
import type { SourceRequest } from '@flamegate/operations/ports'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openSourceReader, sourceReaderDefaults, type SourceReaderOptions } from './source-reader.ts'

let codeFolder: string
beforeAll(async () => {
  codeFolder = await mkdtemp(join(tmpdir(), 'source-reader-test-'))
})
afterAll(() => rm(codeFolder, { recursive: true, force: true }))

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += 100) yield bytes.subarray(start, start + 100)
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
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

/** A process that does what the code says. */
async function processThat(code: string): Promise<SourceReaderOptions> {
  const processFile = join(await mkdtemp(join(codeFolder, 'code-')), 'process.mjs')
  await writeFile(processFile, code)
  return { ...sourceReaderDefaults, processFile: pathToFileURL(processFile) }
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"log":')
  throw new Error('called off')
}

test('a source is read in a process, which asks what it needs to know, and its exchanges are kept until released', async () => {
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

test('passwords that a source has are nowhere in what is kept of it', async () => {
  const login = JSON.parse(har('https://shop.example.com/', 'https://shop.example.com/login'))
  const [first, second] = login.log.entries
  // The server says it before it is sent.
  first.response.content.text = 'Try s3cret-1&amp;2'
  second.request.method = 'POST'
  second.request.headers = [{ name: 'Authorization', value: 'Bearer a-token' }]
  second.request.postData = {
    mimeType: 'application/x-www-form-urlencoded',
    text: 'user=ann&password=s3cret-1%262',
  }
  const { outcome, recording, release } = await openSourceReader().read(request('har', JSON.stringify(login)))
  const index = recording?.index ?? { schemaVersion: 1, exchanges: [] }
  const bytes = await buffer(recording?.open() ?? pieces(''))
  await release()
  expect(recording).toMatchObject({
    sizeBytes: bytes.length,
    md5: createHash('md5').update(bytes).digest('base64'),
  })
  const kept: Exchange[] = []
  for await (const exchange of readRecording(bytesOf(bytes), index)) kept.push(exchange)
  expect(kept.map(({ request: { url } }) => url)).toEqual([
    'https://shop.example.com/',
    'https://shop.example.com/login',
  ])
  expect(kept[0]?.response?.body?.content).toBe('Try •••')
  expect(kept[1]?.request).toMatchObject({
    headers: [{ name: 'Authorization', value: 'Bearer •••' }],
    body: { content: 'user=ann&password=•••' },
  })
  expect(JSON.stringify(outcome)).not.toContain('s3cret')
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

const tooMuchMemory = { refused: expect.stringContaining('too much memory') }

test.each([
  ['too long', 'for (;;);', { timeoutMs: 300 }, { refused: expect.stringContaining('too long') }],
  [
    'too much memory, bit by bit',
    'const all = []; for (;;) all.push(new Array(10_000).fill({}))',
    { heapMegabytes: 32 },
    tooMuchMemory,
  ],
  [
    'too much memory at once, as V8 itself asks for it',
    'JSON.parse(`[${"[],".repeat(30_000_000)}0]`)',
    { heapMegabytes: 64 },
    tooMuchMemory,
  ],
  ['all memory of the machine', 'process.kill(process.pid, "SIGKILL")', {}, tooMuchMemory],
])(
  'a process that takes %s is ended and the source refused, and we stay',
  async (_what, code, limits, refused) => {
    const folder = await mkdtemp(join(codeFolder, 'sources-'))
    const reader = openSourceReader({ ...(await processThat(code)), folder, ...limits })
    const { outcome, recording, release } = await reader.read(request('har', har()))
    expect(outcome).toEqual(refused)
    expect(recording).toBeNull()
    await release()
    expect(await readdir(folder)).toEqual([])
  },
)

test('a real source that needs more memory than there is refuses only itself', async () => {
  const urls = Array.from({ length: 10 }, (_, index) => `https://shop.example.com/${index}`)
  const text = har(...urls).replaceAll('"hello"', JSON.stringify('x'.repeat(4_000_000)))
  const small = openSourceReader({ ...sourceReaderDefaults, heapMegabytes: 8 })
  const { outcome, release } = await small.read(request('har', text))
  await release()
  expect(outcome).toEqual(tooMuchMemory)
})

test('a defect in the process is no fault of the source, and leaves no file behind', async () => {
  const folder = await mkdtemp(join(codeFolder, 'sources-'))
  const reader = openSourceReader({ ...(await processThat('throw new Error("a defect")')), folder })
  await expect(reader.read(request('har', har()))).rejects.toThrow('a defect')
  expect(await readdir(folder)).toEqual([])
})

test('of a source that is refused before its end no more is fetched than was under way', async () => {
  let fetched = 0
  let isLetGo = false
  async function* long(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('no HAR ')
      for (; fetched < 10_000; fetched++) yield Buffer.alloc(100_000, 120)
    } finally {
      isLetGo = true
    }
  }
  const { outcome, release } = await openSourceReader().read(request('har', '', { content: long() }))
  await release()
  expect(outcome).toMatchObject({ refused: expect.any(String) })
  expect(fetched).toBeLessThan(100)
  expect(isLetGo).toBe(true)
})

test('it gets nothing of our environment that is a password', async () => {
  vi.stubEnv('FLAMEGATE_DATABASE_URL', 'postgres://secret')
  const said = 'throw new Error(Object.keys(process.env).join())'
  const reading = openSourceReader(await processThat(said)).read(request('har', har()))
  await expect(reading).rejects.toThrow(/^((?!FLAMEGATE)[^])*$/)
  vi.unstubAllEnvs()
})

test('content that fails ends the reading with that failure', async () => {
  const reading = openSourceReader().read(request('har', '', { content: failing() }))
  await expect(reading).rejects.toThrow('called off')
})
