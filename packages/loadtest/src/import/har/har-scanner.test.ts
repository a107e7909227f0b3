import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from '../../testing/har.ts'
import { SourceError } from '../importer.ts'
import { readHarParts, type HarPart } from './har-scanner.ts'

async function partsOf(text: string | Uint8Array, size = 65_536): Promise<HarPart[]> {
  const parts: HarPart[] = []
  for await (const part of readHarParts(piecesOf(Buffer.from(text), size))) parts.push(part)
  return parts
}

async function drain(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of readHarParts(source)) expect(part.index).toBe(0)
}

test('entries and pages are found wherever they stand in the log, one by one', async () => {
  const parts = await partsOf(`{ "comment": {"entries": [1]},
    "log": { "entries": [ {"a": "]}\\""}, 2 ], "browser": null, "pages": [ {"id": "p"} ], "creator": {"name": "c"} } }`)
  expect(parts.map(({ place, value }) => [place, value])).toEqual([
    ['log.entries[0]', { a: ']}"' }],
    ['log.entries[1]', 2],
    ['log.pages[0]', { id: 'p' }],
    ['log.creator', { name: 'c' }],
  ])
})

test('a byte order mark is passed over', async () => {
  expect(await partsOf('\uFEFF{"log":{"entries":[]}}')).toEqual([])
})

test('what comes in pieces of any size is the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 1, '\t'),
      async (entries, size, indent) => {
        const text = JSON.stringify({ log: { version: '1.2', entries, other: entries } }, null, indent)
        const parts = await partsOf(text, size)
        expect(parts.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(entries)))
      },
    ),
    { numRuns: 300 },
  )
})

test.each([
  ['', 'the file: The file is cut off here.'],
  ['[]', 'the file: This is not JSON (byte 0).'],
  ['{}', 'This is no HAR: it has no log.entries.'],
  ['{"log":{"pages":[]}}', 'This is no HAR: it has no log.entries.'],
  ['{"log":[]}', 'log: This is not JSON (byte 7).'],
  ['{"log":{"entries":{}}}', 'log.entries: This is not JSON (byte 18).'],
  ['{"log":{"entries":[{"a":1},{"b":', 'log.entries[1]: The file is cut off here.'],
  ['{"log":{"entries":[{"a":1},{"b" 2}]}}', 'log.entries[1]: This is not JSON.'],
  ['{"log":{"entries":[,]}}', 'log.entries[0]: This is not JSON (byte 19).'],
  ['{"log":{"entries":[1 2]}}', 'log.entries: This is not JSON (byte 21).'],
  ['{"log":{"entries":[]}} x', 'the end: This is not JSON (byte 23).'],
])('%j is refused with its place', async (text, message) => {
  const error: unknown = await partsOf(text).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SourceError)
  expect(error).toHaveProperty('message', message)
})

test('what is nested too deep is refused', async () => {
  const deep = `{"log":{"entries":[${'['.repeat(1_000_000)}`
  await expect(partsOf(deep)).rejects.toThrow('log.entries[0]: It is nested deeper than 200 levels.')
})

test('an entry of too many values is refused before it is read', async () => {
  const many = `{"log":{"entries":[[${'[],'.repeat(600_000)}[]]]}}`
  await expect(partsOf(many)).rejects.toThrow('log.entries[0]: It holds more than 1000000 values.')
})

test('more than 20,000 entries are refused, also in two lists', async () => {
  const list = `"entries":[${'1,'.repeat(11_000)}1]`
  await expect(partsOf(`{"log":{${list},${list}}}`)).rejects.toThrow('There are more than 20000 entries.')
})

test('an entry of more than 50 MB is refused, and so is a HAR of more than 200 MB', async () => {
  const megabyte = Buffer.alloc(1_000_000, 'x')
  async function* large(head: string, count: number): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head)
    for (let at = 0; at < count; at++) yield megabyte
  }
  await expect(drain(large('{"log":{"entries":[1,"', 60))).rejects.toThrow(
    'log.entries[1]: It is larger than 50 MB.',
  )
  await expect(drain(large('{"log":{"entries":[1],"comment":"', 210))).rejects.toThrow(
    'It is larger than 200 MB.',
  )
})
