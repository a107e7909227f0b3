import { buffer } from 'node:stream/consumers'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openResultReader, resultReaderDefaults } from './result-reader.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'result-reader-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const kept = async () => (await readdir(folder)).filter((name) => name.startsWith('flamegate-results-'))

test('results are read in a process, and their seconds are kept until released', async () => {
  const reader = openResultReader({ ...resultReaderDefaults, folder })
  const { outcome, openTicks, release } = await reader.read(
    bytesOf('timeStamp,elapsed,label\n1764000000000,5,home\n'),
  )
  expect(outcome).toMatchObject({ format: 'jtl', results: { requestCount: 1, durationMs: 1000 } })
  expect((await buffer(openTicks())).length).toBeGreaterThan(8)
  await release()
  expect(await kept()).toEqual([])
})

test('what is no result is refused in words', async () => {
  const { outcome, release } = await openResultReader({ ...resultReaderDefaults, folder }).read(bytesOf('x'))
  expect(outcome).toEqual({ refused: expect.stringContaining('These are no results') })
  await release()
})

test.each([
  ['too long', 'for (;;);', { timeoutMs: 300 }, 'too long'],
  [
    'too much memory',
    'const all = []; for (;;) all.push(new Array(10_000).fill({}))',
    { heapMegabytes: 32 },
    'too much memory',
  ],
])('a process that takes %s is ended, and we stay', async (_what, code, limits, words) => {
  const processFile = join(folder, 'process.mjs')
  await writeFile(processFile, code)
  const reader = openResultReader({
    ...resultReaderDefaults,
    folder,
    processFile: pathToFileURL(processFile),
    ...limits,
  })
  const { outcome, release } = await reader.read(bytesOf('x'))
  expect(outcome).toEqual({ refused: expect.stringContaining(words) })
  await release()
  expect(await kept()).toEqual([])
})
