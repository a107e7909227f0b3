import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample, sampleText } from '../testing/samples.ts'
import { encodeOtlpJson } from './otlp-json.ts'

const checkout = readProfile(sample('otlp/checkout.otlp'))
const labelsOf = (profile: typeof checkout) =>
  Object.fromEntries(profile.labels.map(({ name, values }) => [name, values.map(({ value }) => value)]))
const at = (ms: number) => String(1_795_296_000_000_000_000n + BigInt(ms) * 1_000_000n)

/** A message of one service with one function `f`, but for what is said here. */
const message = ({ samples, resource }: { samples: object[]; resource?: object }, more: object = {}) => ({
  resourceProfiles: [{ resource, scopeProfiles: [{ profiles: [{ samples, ...more }] }] }],
  dictionary: {
    mappingTable: [{}],
    functionTable: [{}, { nameStrindex: 1 }],
    locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
    linkTable: [{}],
    stringTable: ['', 'f', 'key', 'value'],
    attributeTable: [{}, { keyStrindex: 2, value: { stringValueStrindex: 3 } }],
    stackTable: [{}, { locationIndices: [1] }],
  },
})
const read = (document: object) => readProfile(new TextEncoder().encode(JSON.stringify(document)))

test('a message is one tree, with inlined functions, binaries and the kernel', () => {
  expect(checkout.format).toBe('otlp')
  expect(checkout.sampleTypes).toEqual([
    { type: 'cpu', unit: 'nanoseconds' },
    { type: 'off_cpu', unit: 'nanoseconds' },
  ])
  expect(drawTree(checkout)).toEqual([
    'main 57/0',
    '  price 57/0',
    '    discount 57/50',
    '      [libc.so.6] 7/7',
    '  do_syscall_64 0/0',
  ])
  expect(drawTree(checkout, 1)).toContain('  do_syscall_64 500/500')
  expect(checkout.functions.files).toEqual([
    'src/main.rs',
    'src/price.rs',
    'src/price.rs',
    '/usr/lib/libc.so.6',
    '[kernel.kallsyms]',
  ])
  expect([...checkout.functions.startLines]).toEqual([3, 10, 40, 0, 0])
  expect([checkout.startedAt, checkout.durationMs]).toEqual(['2026-11-21T21:20:00.000Z', 10_000])
  expect(checkout.warnings).toEqual([])
})

test('attributes and links become labels', () => {
  expect(labelsOf(checkout)).toEqual({
    'service.name': ['checkout'],
    'deployment.environment.name': ['production'],
    thread: ['worker-1', 'worker-2'],
    batch: ['64 By'],
    trace_id: ['5b8efff798038103d269b633813fc60c'],
    span_id: ['eee19b7ec3c1b174'],
  })
  expect(checkout.threads.map(({ name }) => name)).toEqual(['worker-1', 'worker-2'])
})

test('times of samples become the timeline', () => {
  const { timesMs, values } = checkout.detail!.timeline!
  expect([...timesMs]).toEqual([100, 1500, 2000])
  expect([...values]).toEqual([30, 7, 20])
})

test('lines have what their samples have', () => {
  const { lines, selfValues, totalValues } = checkout.detail!.lines!
  expect([...lines]).toEqual([7, 12, 42])
  expect([...selfValues[0]!]).toEqual([0, 0, 50])
  expect([...totalValues[0]!]).toEqual([57, 57, 57])
})

test('services of one message are told apart by their label, and a time without a value counts 1', () => {
  const both = readProfile(sample('otlp/two-services.otlp'))
  expect(labelsOf(both)['service.name']).toEqual(['checkout', 'payments'])
  expect(drawTree(both)[0]).toBe('main 60/0')
  expect(both.sampleCount).toBe(7)
})

test.each(['checkout', 'two-services'])('JSON says the same as protocol buffers: %s', (name) => {
  expect(readProfile(sample(`otlp/${name}.json`))).toEqual(readProfile(sample(`otlp/${name}.otlp`)))
})

test('several values of a sample are summed, and those without a stack are unknown', () => {
  const profile = read(message({ samples: [{ stackIndex: 1, values: [1, 2, '3'] }, { values: [5] }] }))
  expect(drawTree(profile)).toEqual(['f 6/6', '<unknown> 5/5'])
  expect(profile.sampleTypes).toEqual([{ type: 'samples', unit: 'count' }])
  expect(profile.sampleCount).toBe(4)
})

test('strings of the dictionary may be what an attribute says', () => {
  const resource = { attributes: [{ keyStrindex: 2, value: { stringValueStrindex: 3 } }] }
  expect(labelsOf(read(message({ resource, samples: [{ stackIndex: 1, values: [1] }] })))).toEqual({
    key: ['value'],
  })
})

test('what is left out is told', () => {
  const resource = { attributes: [{ key: 'list', value: { arrayValue: { values: [] } } }] }
  const samples = [
    { stackIndex: 1 },
    { stackIndex: 1, values: [1, 2], timestampsUnixNano: [at(0)] },
    { stackIndex: 1, timestampsUnixNano: [at(0)] },
  ]
  const profile = read(
    message({ resource, samples }, { droppedAttributesCount: 4, originalPayloadFormat: 'jfr' }),
  )
  expect(profile.warnings).toEqual([
    '1 samples have neither values nor times.',
    '1 samples have other numbers of values than of times, which were left out.',
    '1 samples have times that cannot be placed, for no profile says when it began.',
    '1 attributes are lists, maps or bytes, and were left out.',
    'The profiler dropped 4 attributes.',
    'Original payloads (jfr) were not read.',
  ])
  expect(drawTree(profile)).toEqual(['f 4/4'])
})

test.each<[string, object, RegExp]>([
  ['a stack', message({ samples: [{ stackIndex: 9, values: [1] }] }), /no stack 9, only 2/],
  ['an attribute', message({ samples: [{ attributeIndices: [9], values: [1] }] }), /no attribute 9, only 2/],
  ['a link', message({ samples: [{ linkIndex: 9, values: [1] }] }), /no link 9, only 1/],
  ['a value', message({ samples: [{ values: ['x'] }] }), /whole number.*samples\[0\]\.values\[0\]/],
  ['anything', { resourceProfiles: [] }, /no samples/],
])('%s that is not there is named', (_what, document, words) => {
  expect(() => read(document)).toThrow(words)
})

test('a file that is cut off is refused with the place', () => {
  const whole = sample('otlp/checkout.otlp')
  expect(() => readProfile(whole.subarray(0, whole.length - 5))).toThrow(/cut off.*byte \d+/)
})

test('a stack that thousands of samples have is walked once', () => {
  const deep = message({ samples: Array.from({ length: 20_000 }, () => ({ stackIndex: 1, values: [1] })) })
  deep.dictionary.stackTable[1] = { locationIndices: Array.from({ length: 20_000 }, () => 1) }
  const start = process.threadCpuUsage()
  expect(readProfile(encodeOtlpJson(deep)).sampleCount).toBe(20_000)
  expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(5_000)
})

test('a file of pprof is none of OpenTelemetry', () => {
  expect(readProfile(sample('pprof/go-cpu.pb.gz')).format).toBe('pprof')
  expect(sampleText('otlp/checkout.json')).toContain('"resourceProfiles"')
})

test('attributes beyond the limit are counted', () => {
  const attributes = Array.from({ length: 70 }, (_, index) => ({
    key: `a${index}`,
    value: { intValue: index },
  }))
  const profile = read(message({ resource: { attributes }, samples: [{ stackIndex: 1, values: [1] }] }))
  expect(profile.labels).toHaveLength(64)
  expect(profile.warnings).toEqual(['6 attributes beyond 64 of a sample or resource were left out.'])
})
