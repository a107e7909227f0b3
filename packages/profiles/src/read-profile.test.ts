import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { detectProfileFormat, FormatError, profileFormats, readProfile } from './index.ts'
import { parseJson } from './formats/json.ts'
import { isGzip } from './gunzip.ts'
import { sample, samplePaths } from './testing/samples.ts'

test.each(samplePaths())('%s is recognised by its content, gzipped or not', (path) => {
  const bytes = sample(path)
  const format = path.split('/')[0]
  expect(detectProfileFormat(bytes)).toBe(format)
  const profile = readProfile(bytes)
  expect(profile.format).toBe(format)
  expect(profile.sampleCount).toBeGreaterThan(3)
  const raw = isGzip(bytes) ? gunzipSync(bytes) : bytes
  expect(readProfile(raw)).toEqual(profile)
  expect(readProfile(gzipSync(raw))).toEqual(profile)
})

test('there is a sample of every format', () => {
  expect(new Set(samplePaths().map((path) => path.split('/')[0]))).toEqual(new Set(profileFormats))
})

test.each(samplePaths())(
  'the tree of %s is in depth-first order, with each function once below a parent',
  (path) => {
    const { nodes, selfValues, functions, sampleTypes } = readProfile(sample(path))
    const { parents, functionIndexes, lines } = nodes
    expect(selfValues.map(({ length }) => length)).toEqual(sampleTypes.map(() => parents.length))
    expect([functionIndexes.length, lines.length]).toEqual([parents.length, parents.length])
    expect([parents[0], functionIndexes[0]]).toEqual([-1, -1])
    const open = [0]
    const children = new Set<string>()
    for (let node = 1; node < parents.length; node++) {
      while (open.at(-1) !== parents[node]) open.pop()
      expect(open.length).toBeGreaterThan(0)
      open.push(node)
      expect(functions.names[functionIndexes[node]!]).toBeDefined()
      children.add(`${parents[node]} ${functionIndexes[node]}`)
    }
    expect(children.size).toBe(parents.length - 1)
  },
)

test('another format than the one asked for is refused', () => {
  const pprof = sample('pprof/go-cpu.pb.gz')
  expect(readProfile(pprof, { format: 'pprof' }).format).toBe('pprof')
  expect(() => readProfile(pprof, { format: 'speedscope' })).toThrow(
    'speedscope: the file is of the format pprof',
  )
  const error = new FormatError('the file is not of this format', { format: 'cpuprofile' })
  expect(() => readProfile(new TextEncoder().encode('hello'), { format: 'cpuprofile' })).toThrow(error)
})

test.each<[what: string, message: string, bytes: Uint8Array]>([
  ['nothing', 'the file is empty', new Uint8Array()],
  ['nothing, gzipped', 'the file is empty', gzipSync('')],
  ['a gzip file that is cut off', 'the gzip file is cut off', sample('pprof/go-cpu.pb.gz').subarray(0, 3000)],
  [
    'a gzip file that is damaged',
    'the gzip file is damaged',
    sample('pprof/go-cpu.pb.gz').with(1000, 0).with(1001, 0).with(1002, 0),
  ],
  [
    'JSON that is cut off',
    'the file looks like JSON but is not, or is cut off (at character 1000)',
    sample('cpuprofile/node.cpuprofile').subarray(0, 1000),
  ],
  ['other JSON', 'none of the formats', new TextEncoder().encode('{"nodes": [1, 2], "snapshot": {}}')],
  ['other text', 'none of the formats', new TextEncoder().encode('name,count\nmain,2\n')],
  ['other bytes', 'none of the formats', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0)],
  [
    'a text of Go without samples',
    'pprof_text: the profile holds no samples',
    new TextEncoder().encode('heap profile: 1: 2 [3: 4] @ heap/1048576\n'),
  ],
  [
    'JSON that is not UTF-8',
    'the text is not valid UTF-8 (at byte 10)',
    new Uint8Array([...new TextEncoder().encode('{"name": "'), 0xff]),
  ],
])('%s is refused: %s', (_what, message, bytes) => {
  expect(() => readProfile(bytes)).toThrow(FormatError)
  expect(() => readProfile(bytes)).toThrow(message)
})

test('a decompression bomb stops at the limit', () => {
  const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(100_000)
  expect(() => readProfile(bomb, { maxDecompressedBytes: 1024 * 1024 })).toThrow(
    'the file is larger than 1048576 bytes when decompressed',
  )
})

test('a file that is larger than the limit without gzip is refused, too', () => {
  expect(() => readProfile(sample('cpuprofile/node.cpuprofile'), { maxDecompressedBytes: 100 })).toThrow(
    'the file is larger than 100 bytes',
  )
})

test('JSON of very many small objects is refused before it is parsed', () => {
  const bytes = new Uint8Array(10_000_000).fill(0x5b)
  bytes[0] = 0x7b
  expect(() => readProfile(bytes)).toThrow(
    'JSON with more than 8000000 arrays and objects: record for less time, or export fewer threads',
  )
})

test('JSON that is too large is refused with what to do about it', () => {
  expect(() => parseJson(new Uint8Array(128 * 1024 * 1024 + 1))).toThrow(
    'JSON of 134217729 bytes; at most 134217728 are read: record for less time, or export fewer threads',
  )
})

test('values that add up to infinity are refused', () => {
  const frames = [{ name: 'a' }]
  const profiles = [{ type: 'sampled', unit: 'none', samples: [[0], [0]], weights: [1e308, 1e308] }]
  const bytes = new TextEncoder().encode(JSON.stringify({ shared: { frames }, profiles }))
  expect(() => readProfile(bytes)).toThrow('speedscope: values add up to infinity')
})
