import { deflateSync, inflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeDetail,
  decodeProfile,
  encodeDetail,
  encodeProfile,
  FormatError,
  profileFormats,
  readProfile,
  type Profile,
} from './index.ts'
import { sample, samplePaths } from './testing/samples.ts'

test.each(samplePaths())('%s is the same after it was stored, and so is its detail', (path) => {
  const { detail, heapGraph: _heapGraph, ...profile } = readProfile(sample(path))
  expect(decodeProfile(encodeProfile(profile))).toEqual(profile)
  expect(detail && decodeDetail(encodeDetail(detail))).toEqual(detail)
})

test('a stored profile is about as small as the gzipped file', () => {
  const file = sample('pprof/go-heap.pb.gz')
  expect(encodeProfile(readProfile(file)).length).toBeLessThan(file.length * 1.2)
})

const finite = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Object.is(value, -0) ? 0 : value))
const words = fc.string({ unit: 'binary', maxLength: 12 })

/** Any profile that keeps the promises of the type: nodes in depth-first order, columns of one length. */
const profiles: fc.Arbitrary<Profile> = fc
  .record({
    format: fc.constantFrom(...profileFormats),
    names: fc.array(fc.record({ name: words, file: words, startLine: fc.nat() }), {
      minLength: 1,
      maxLength: 8,
    }),
    sampleTypes: fc.array(fc.record({ type: words, unit: words }), { minLength: 1, maxLength: 4 }),
    nodes: fc.array(
      fc.record({
        up: fc.nat(3),
        functionIndex: fc.nat(7),
        line: fc.nat(),
        values: fc.array(finite, { minLength: 5, maxLength: 5 }),
      }),
      { maxLength: 30 },
    ),
    scale: fc.constantFrom(undefined, 1, 10_000_000, 3),
    hasCalls: fc.boolean(),
    hasTotals: fc.boolean(),
    durationMs: fc.option(finite, { nil: undefined }),
    startedAt: fc.option(words, { nil: undefined }),
    sampleCount: fc.nat(),
    labels: fc.array(
      fc.record({
        name: words,
        valueCount: fc.nat(),
        values: fc.array(fc.record({ value: words, sampleCount: fc.nat(), weight: finite })),
      }),
      { maxLength: 3 },
    ),
    threads: fc.array(fc.record({ name: words, totals: fc.array(finite, { maxLength: 4 }) }), {
      maxLength: 3,
    }),
    warnings: fc.array(words, { maxLength: 3 }),
  })
  .map(({ names, nodes, scale, hasCalls, hasTotals, ...rest }) => {
    const path = [0]
    const parents = nodes.map(({ up }, index) => {
      path.length = Math.max(1, path.length - up)
      const parent = path.at(-1)!
      path.push(index + 1)
      return parent
    })
    const column = (index: number) =>
      Float64Array.from([
        0,
        ...nodes.map(({ values }) =>
          scale === undefined ? values[index]! : (Math.abs(Math.trunc(values[index]!)) % 2 ** 20) * scale,
        ),
      ])
    return {
      ...rest,
      defaultSampleTypeIndex: rest.sampleTypes.length - 1,
      functions: {
        names: names.map(({ name }) => name),
        files: names.map(({ file }) => file),
        startLines: Int32Array.from(names, ({ startLine }) => startLine),
      },
      nodes: {
        parents: Int32Array.from([-1, ...parents]),
        functionIndexes: Int32Array.from([
          -1,
          ...nodes.map(({ functionIndex }) => functionIndex % names.length),
        ]),
        lines: Int32Array.from([0, ...nodes.map(({ line }) => line)]),
        ...(hasCalls ? { calls: column(4) } : {}),
      },
      selfValues: rest.sampleTypes.map((_, index) => column(index)),
      ...(hasTotals
        ? {
            functionTotals: {
              isKnown: Uint8Array.from(names, (_, index) => index % 2),
              values: [...rest.sampleTypes.keys()].map((type) =>
                Float64Array.from(names, (_, index) => index * (type + 0.5)),
              ),
            },
          }
        : {}),
    }
  })

test('any profile is the same after it was stored', () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      expect(decodeProfile(encodeProfile(profile))).toEqual(profile)
    }),
    { numRuns: 500 },
  )
})

const stored = encodeProfile(readProfile(sample('cpuprofile/node.cpuprofile')))
const body = (change: (body: Uint8Array) => Uint8Array) => {
  const changed = change(new Uint8Array(inflateSync(stored.subarray(12))))
  const bytes = Buffer.concat([stored.subarray(0, 12), deflateSync(changed)])
  bytes.writeUInt32LE(changed.length, 8)
  return bytes
}

test.each<[message: string, bytes: Uint8Array]>([
  ['it does not begin with FGPF', new Uint8Array(20)],
  ['it does not begin with FGPF', stored.subarray(0, 5)],
  ['it has version 9, not 1', stored.with(4, 9)],
  ['it cannot be inflated', stored.subarray(0, stored.length - 100)],
  ['it cannot be inflated', stored.with(200, stored[200]! ^ 1)],
  ['its length is too large', stored.with(11, 0xff)],
  ['a column is cut off', body((bytes) => bytes.subarray(0, bytes.length - 8))],
  ['it has bytes left over', body((bytes) => Buffer.concat([bytes, new Uint8Array(8)]))],
  ['its head is cut off', body((bytes) => bytes.with(3, 0x7f))],
  ['its head is not JSON', body((bytes) => bytes.with(4, 0))],
])('damage is refused: %s', (message, bytes) => {
  expect(() => decodeProfile(bytes)).toThrow(FormatError)
  expect(() => decodeProfile(bytes)).toThrow(`the stored profile is damaged: ${message}`)
})
