import * as fc from 'fast-check'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  decodeDetail,
  decodeProfile,
  encodeDetail,
  encodeProfile,
  FormatError,
  profileFormats,
  readProfile,
  summarizeFlameGraph,
  type Profile,
} from './index.ts'
import { sample, samplePaths } from './testing/samples.ts'

// A few of each for every change; `npm run long -- fuzz-profiles` reads 100,000 files of each format.

/** What went wrong when reading bytes, if anything: there must be a profile or a FormatError, and soon. */
function problemOf(bytes: Uint8Array, read: (bytes: Uint8Array) => Profile): string | undefined {
  const start = process.threadCpuUsage()
  try {
    const profile = read(bytes)
    summarizeFlameGraph(profile)
    if (profile.nodes.parents.length !== profile.selfValues[0]!.length) return 'columns of different lengths'
  } catch (error) {
    if (!(error instanceof FormatError)) return String(error)
    if (error.message.length > 1000) return 'a message as long as the file'
  }
  const durationMs = process.threadCpuUsage(start).user / 1000
  return durationMs > 2000 ? `took ${durationMs} ms` : undefined
}

/** Up to 8 places of a real file get other bytes, a part is cut out or doubled, or the end is cut off. */
const damages = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
  from: fc.nat(),
  length: fc.nat(64),
  kind: fc.constantFrom('keep', 'cut', 'double', 'end'),
})
type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never

function damaged(original: Uint8Array, { bytes, from, length, kind }: Damage): Uint8Array {
  const copy = original.slice()
  for (const [position, value] of bytes) copy[position % copy.length] = value
  const start = from % copy.length
  if (kind === 'end') return copy.subarray(0, start)
  if (kind === 'cut') return Buffer.concat([copy.subarray(0, start), copy.subarray(start + length)])
  if (kind === 'double') return Buffer.concat([copy.subarray(0, start + length), copy.subarray(start)])
  return copy
}

test.each(samplePaths())('damaged versions of %s are read or refused', (path) => {
  const bytes = sample(path)
  const original = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
  const format = profileFormats.find((name) => path.startsWith(name))!
  fc.assert(
    fc.property(damages, fc.boolean(), (damage, isTold) => {
      expect(
        problemOf(damaged(original, damage), (input) => readProfile(input, isTold ? { format } : {})),
      ).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

test.each(profileFormats)('random bytes read as %s are refused, or are by chance a profile', (format) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(problemOf(bytes, (input) => readProfile(input, { format }))).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})

test.each(profileFormats)('random JSON read as %s is refused, or is by chance a profile', (format) => {
  const keys = [
    'nodes',
    'samples',
    'timeDeltas',
    'head',
    'children',
    'callFrame',
    'id',
    'shared',
    'frames',
    'profiles',
    'unit',
    'type',
  ]
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.integer({ min: -2, max: 9 }),
      fc.constantFrom('none', 'sampled', 'evented', '', null, 1e308),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), json, { maxKeys: 12 }), (document) => {
      const bytes = new TextEncoder().encode(JSON.stringify(document))
      expect(problemOf(bytes, (input) => readProfile(input, { format }))).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

const deepList = '['.repeat(100_000) + ']'.repeat(100_000)

/** One place of each kind: elements of a list are of one kind. */
function placesIn(document: object): { container: object; key: string }[] {
  const places = new Map<string, { container: object; key: string }>()
  const pending = [{ at: document, path: '$' }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, value] of Object.entries(next.at)) {
      const path = `${next.path}.${/^\d+$/.test(key) ? '…' : key}`
      if (places.has(path)) continue
      places.set(path, { container: next.at, key })
      if (typeof value === 'object' && value !== null) pending.push({ at: value, path })
    }
  }
  return [...places.values()]
}

test.each(samplePaths().filter((path) => isJson(unpacked(path))))(
  '%s with a list that nests 100,000 deep in any place is read or refused',
  (path) => {
    const format = profileFormats.find((name) => path.startsWith(name))!
    const document: object = JSON.parse(Buffer.from(unpacked(path)).toString())
    const problems = placesIn(document).map(({ container, key }) => {
      const value: unknown = Reflect.get(container, key)
      Reflect.set(container, key, 'deep list')
      const bytes = Buffer.from(JSON.stringify(document).replace('"deep list"', deepList))
      Reflect.set(container, key, value)
      return problemOf(bytes, (input) => readProfile(input, { format }))
    })
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  },
)

function unpacked(path: string): Uint8Array {
  return path.endsWith('.gz') ? gunzipSync(sample(path)) : sample(path)
}

function isJson(bytes: Uint8Array): boolean {
  try {
    return typeof JSON.parse(Buffer.from(bytes).toString()) === 'object'
  } catch {
    return false
  }
}

function outcomeOf(decode: () => unknown): string {
  try {
    decode()
    return 'decoded'
  } catch (error) {
    return error instanceof Error ? error.name : String(error)
  }
}

test('damaged stored details are decoded or refused', () => {
  const { detail } = readProfile(sample('cpuprofile/node.cpuprofile'))
  const stored = encodeDetail(detail!)
  fc.assert(
    fc.property(damages, (damage) => {
      const decode = () => decodeDetail(damaged(stored, damage))
      expect(outcomeOf(decode)).toMatch(/^(decoded|FormatError)$/)
    }),
    { numRuns: 300 },
  )
})

test('damaged stored profiles are decoded or refused', () => {
  const stored = encodeProfile(readProfile(sample('pprof/go-heap.pb.gz')))
  fc.assert(
    fc.property(damages, (damage) => {
      expect(problemOf(damaged(stored, damage), decodeProfile)).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})
