import fc from 'fast-check'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  decodeProfile,
  encodeProfile,
  FormatError,
  profileFormats,
  readProfile,
  summarizeFlameGraph,
} from './index.ts'
import { sample, samplePaths } from './testing/samples.ts'

/** Whatever the bytes, there is a profile that can be asked, or a FormatError; and soon. */
function expectProfileOrFormatError(
  bytes: Uint8Array,
  read: (bytes: Uint8Array) => ReturnType<typeof readProfile>,
): void {
  const start = performance.now()
  try {
    const profile = read(bytes)
    summarizeFlameGraph(profile)
    expect(profile.nodes.parents.length).toBe(profile.selfValues[0]!.length)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    expect(error.message.length).toBeLessThan(1000)
  }
  expect(performance.now() - start).toBeLessThan(2000)
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
      expectProfileOrFormatError(damaged(original, damage), (input) =>
        readProfile(input, isTold ? { format } : {}),
      )
    }),
    { numRuns: 300 },
  )
})

test.each(profileFormats)('random bytes read as %s are refused, or are by chance a profile', (format) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expectProfileOrFormatError(bytes, (input) => readProfile(input, { format }))
    }),
    { numRuns: 500 },
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
      expectProfileOrFormatError(bytes, (input) => readProfile(input, { format }))
    }),
    { numRuns: 300 },
  )
})

test('damaged stored profiles are decoded or refused', () => {
  const stored = encodeProfile(readProfile(sample('pprof/go-heap.pb.gz')))
  fc.assert(
    fc.property(damages, (damage) => expectProfileOrFormatError(damaged(stored, damage), decodeProfile)),
    { numRuns: 500 },
  )
})
