import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { filterDetail } from '../questions/filter-detail.ts'
import { filterProfile } from '../questions/filter-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { asTopRows, inOrder, parseTop } from '../testing/pprof-top.ts'
import { sample, samplePaths, sampleText } from '../testing/samples.ts'
import { profileOf } from '../testing/stacks.ts'
import { exportFormats, exportProfile, type ExportFormat } from './profile-export.ts'

/** What is painted is tested where it is painted. */
const paint = () => new Uint8Array(21)
const options = { name: 'a profile', paint }
const textOf = (profile: ImportedProfile, format: ExportFormat) =>
  new TextDecoder().decode(exportProfile(profile, profile.detail, format, options).bytes)
const sumOf = (column: Float64Array) => column.reduce((sum, value) => sum + value, 0)
const againAs = (profile: ImportedProfile, format: 'pprof' | 'speedscope' | 'collapsed') =>
  readProfile(exportProfile(profile, profile.detail, format, options).bytes, { format })

/** Any profile: functions with files and lines, several sample types, labels, times, samples without a stack. */
const profiles = fc
  .record({
    sampleTypes: fc.constantFrom<SampleType[]>(
      [{ type: 'cpu', unit: 'nanoseconds' }],
      [
        { type: 'samples', unit: 'count' },
        { type: 'wall', unit: 'milliseconds' },
      ],
      [
        { type: 'alloc_space', unit: 'bytes' },
        { type: 'alloc_objects', unit: 'count' },
      ],
    ),
    isTimed: fc.boolean(),
    samples: fc.array(
      fc.record({
        stack: fc.array(
          fc.record({
            name: fc.constantFrom('main', 'parse', 'read file', 'std::vector<int>', 'λ', '日本'),
            file: fc.constantFrom('', 'src/a.ts', '/usr/lib/b.so'),
            line: fc.constantFrom(0, 7, 12),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        value: fc.integer({ min: 1, max: 1000 }),
        labels: fc.constantFrom<[string, string][]>(
          [],
          [['thread', 'main']],
          [
            ['process', 'web 1'],
            ['thread', 'worker'],
          ],
          [['endpoint', '/orders']],
        ),
        gap: fc.constantFrom(0, 0, 1, 250),
      }),
      { minLength: 1, maxLength: 25 },
    ),
  })
  .map(({ sampleTypes, isTimed, samples }) => {
    const builder = new ProfileBuilder({ format: 'pprof', sampleTypes })
    let now = 0
    for (const { stack, value, labels, gap } of samples) {
      now += gap
      builder.addStack(
        {
          functionIndexes: stack.map(({ name, file }) => builder.functions.intern(name, file)),
          lines: stack.map(({ line }) => line),
          depth: stack.length,
        },
        sampleTypes.map((_type, index) => value * (index + 1)),
        { labelSet: builder.labelSet(labels), ...(isTimed ? { timeMs: now } : {}) },
      )
      // Values are nanoseconds where they are times.
      now += value / 1e6
    }
    return builder.finish({ warnings: [], durationMs: 2500, startedAt: '2026-11-20T10:00:00.000Z' })
  })

/** Values by stack of `name file`, labels, and what else is asked for, added up; what order and merging leave the same. */
function valuesByStack(
  profile: ImportedProfile,
  about: 'labels' | 'lines' | 'nothing',
): Map<string, number[]> {
  const { nodes, functions, selfValues } = profile
  const stackOf = (node: number): string =>
    node === 0
      ? ''
      : `${stackOf(nodes.parents[node]!)};${functions.names[nodes.functionIndexes[node]!]} ${functions.files[nodes.functionIndexes[node]!]}`
  const sums = new Map<string, number[]>()
  const add = (key: string, values: number[]) => {
    if (values.every((value) => value === 0)) return
    const known = sums.get(key) ?? values.map(() => 0)
    sums.set(
      key,
      known.map((value, type) => value + values[type]!),
    )
  }
  const { labelled, lines } = profile.detail ?? {}
  if (about === 'labels' && labelled !== undefined) {
    for (let row = 0; row < labelled.nodes.length; row++) {
      const labels = profile.detail!.labelSets[labelled.labelSetIndexes[row]!]!
      add(
        `${stackOf(labelled.nodes[row]!)} ${JSON.stringify(labels)}`,
        labelled.values.map((column) => column[row]!),
      )
    }
  } else if (about === 'lines') {
    for (let row = 0; row < (lines?.nodes.length ?? 0); row++) {
      add(
        `${stackOf(lines!.nodes[row]!)}:${lines!.lines[row]}`,
        lines!.selfValues.map((column) => column[row]!),
      )
    }
  } else {
    for (let node = 0; node < nodes.parents.length; node++)
      add(
        `${stackOf(node)}${about === 'labels' ? ' []' : ''}`,
        selfValues.map((column) => column[node]!),
      )
  }
  return sums
}

/** As `valuesByStack`, of the default sample type, of functions that are told by their names only. */
function namedStacks(profile: ImportedProfile): string[] {
  const files = profile.functions.names.map(() => '')
  const unplaced = { ...profile, functions: { ...profile.functions, files } }
  return [...valuesByStack(unplaced, 'nothing')]
    .map(([stack, values]) => `${stack} ${values[profile.defaultSampleTypeIndex]}`)
    .toSorted()
}

describe('a profile that is exported and read again is the same', () => {
  test('as pprof: tree, sample types, labels, time and duration', () => {
    fc.assert(
      fc.property(profiles, (profile) => {
        const again = againAs(profile, 'pprof')
        expect(drawTree(again)).toEqual(drawTree(profile))
        expect(again.sampleTypes).toEqual(profile.sampleTypes)
        expect(again.defaultSampleTypeIndex).toBe(profile.defaultSampleTypeIndex)
        expect([again.startedAt, again.durationMs]).toEqual([profile.startedAt, profile.durationMs])
        expect(valuesByStack(again, 'nothing')).toEqual(valuesByStack(profile, 'nothing'))
        expect(valuesByStack(again, 'labels')).toEqual(valuesByStack(profile, 'labels'))
      }),
      { numRuns: 300 },
    )
  })

  test('as pprof: lines, where a place has no labels that go with some of them only', () => {
    fc.assert(
      fc.property(profiles, (profile) => {
        const { detail, ...rest } = profile
        const { labelled: _labelled, ...unlabelled } = detail ?? { labelSets: [[]] }
        const again = againAs({ ...rest, detail: { ...unlabelled, labelSets: [[]] } }, 'pprof')
        expect(valuesByStack(again, 'lines')).toEqual(valuesByStack(profile, 'lines'))
      }),
      { numRuns: 300 },
    )
  })

  test('as speedscope: tree, threads and times of one value', () => {
    fc.assert(
      fc.property(profiles, (profile) => {
        const again = againAs(profile, 'speedscope')
        const index = profile.defaultSampleTypeIndex
        const only = { ...profile, selfValues: [profile.selfValues[index]!] }
        expect(again.selfValues).toHaveLength(1)
        expect(valuesByStack(again, 'nothing')).toEqual(valuesByStack(only, 'nothing'))
        expect(again.sampleTypes[0]!.unit).toBe(profile.sampleTypes[index]!.unit)
        const timeline = profile.detail?.timeline
        if (timeline === undefined || again.sampleTypes[0]!.unit !== 'nanoseconds') return
        // Samples of several threads may overlap; of each, they are where they were.
        expect(again.detail!.timeline!.timesMs.length).toBe(timeline.timesMs.length)
        for (const [row, time] of again.detail!.timeline!.timesMs.entries())
          expect(time).toBeCloseTo(timeline.timesMs[row]!, 6)
      }),
      { numRuns: 300 },
    )
  })

  test('as folded stacks: the names of the stacks with one value', () => {
    fc.assert(
      fc.property(profiles, (profile) => {
        expect(namedStacks(againAs(profile, 'collapsed'))).toEqual(namedStacks(profile))
      }),
      { numRuns: 300 },
    )
  })
})

test.each(samplePaths().flatMap((path) => exportFormats.map((format) => [path, format] as const)))(
  '%s is exported as %s',
  (path, format) => {
    const profile = readProfile(sample(path))
    const { bytes, extension, contentType } = exportProfile(profile, profile.detail, format, options)
    expect(bytes.length).toBeGreaterThan(20)
    expect([extension, contentType]).toEqual([expect.stringMatching(/^\.\w/), expect.stringContaining('/')])
  },
)

test.each(samplePaths())('the totals of %s as pprof are those of the profile', (path) => {
  const profile = readProfile(sample(path))
  const again = againAs(profile, 'pprof')
  const totals = profile.selfValues.map((column, type) => {
    const isConverted = profile.sampleTypes[type]!.unit !== again.sampleTypes[type]!.unit
    return sumOf(column) * (isConverted ? 1e6 : 1)
  })
  const differences = again.selfValues.map((column, type) => Math.abs(sumOf(column) - totals[type]!))
  expect(Math.max(...differences)).toBeLessThanOrEqual(1)
})

test.each(
  samplePaths().flatMap((path) =>
    (['speedscope', 'd3', 'json'] as const).map((format) => [path, format] as const),
  ),
)('%s as %s is JSON', (path, format) => {
  expect(JSON.parse(textOf(readProfile(sample(path)), format))).toBeTypeOf('object')
})

/** `make-pprof.sh` tells how `go tool pprof` was asked about the file that the export is made of. */
test('of our pprof file of a Go profile, the rows are those that go tool pprof -top has of the original', () => {
  const again = againAs(readProfile(sample('pprof/go-cpu.pb.gz')), 'pprof')
  const rows = asTopRows(topFunctions(again, { by: 'self', limit: Infinity }))
  expect(inOrder(rows)).toEqual(inOrder(parseTop(sampleText('pprof/go-cpu.flat.txt'))))
})

describe('pprof', () => {
  test('times with fractions become nanoseconds; other fractions are rounded, and their sum stays', () => {
    const builder = new ProfileBuilder({
      format: 'speedscope',
      sampleTypes: [
        { type: 'wall', unit: 'milliseconds' },
        { type: 'weight', unit: 'count' },
      ],
    })
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      builder.add(builder.child(0, builder.functions.intern(name)), [1.5, 0.4])
    const profile = builder.finish({ warnings: [] })
    const again = againAs(profile, 'pprof')
    expect(again.sampleTypes).toEqual([
      { type: 'wall', unit: 'nanoseconds' },
      { type: 'weight', unit: 'count' },
    ])
    expect(drawTree(again, 0).map((line) => line.split(' ')[1])).toEqual(Array(5).fill('1500000/1500000'))
    expect(again.selfValues[1]!.reduce((sum, value) => sum + value, 0)).toBe(2)
    expect(exportProfile(profile, undefined, 'pprof', options).notes).toEqual([
      'pprof has whole numbers only: fractions were rounded, so that sums stay.',
    ])
  })

  test('negative values, as differences have them, are kept', () => {
    const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'cpu', unit: 'count' }] })
    builder.add(builder.child(0, builder.functions.intern('less')), [-5])
    builder.add(builder.child(0, builder.functions.intern('more')), [2 ** 53 - 1])
    expect(drawTree(againAs(builder.finish({ warnings: [] }), 'pprof'))).toEqual([
      'less -5/-5',
      `more ${2 ** 53 - 1}/${2 ** 53 - 1}`,
    ])
  })

  test('the same profile gives the same bytes', () => {
    const profile = readProfile(sample('pprof/go-cpu.pb.gz'))
    expect(exportProfile(profile, profile.detail, 'pprof', options)).toEqual(
      exportProfile(profile, profile.detail, 'pprof', options),
    )
    expect(gunzipSync(exportProfile(profile, profile.detail, 'pprof', options).bytes).length).toBeGreaterThan(
      0,
    )
  })
})

test('folded stacks keep each line one stack, whatever is in a name', () => {
  const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'cpu', unit: 'count' }] })
  for (const name of ['a;b', 'two\nlines', '# no comment', '// nor this', ' ', 'ends with 12'])
    builder.add(builder.child(0, builder.functions.intern(name)), [1])
  builder.add(0, [3])
  builder.add(builder.child(0, builder.functions.intern('less')), [-1])
  const { bytes, notes } = exportProfile(builder.finish({ warnings: [] }), undefined, 'collapsed', options)
  expect(new TextDecoder().decode(bytes).split('\n')).toEqual([
    '(root) 3',
    'a:b 1',
    'two lines 1',
    '_# no comment 1',
    '_// nor this 1',
    '(unknown) 1',
    'ends with 12 1',
    '',
  ])
  expect(notes).toEqual(['Folded stacks know no negative values: 1 were left out.'])
  expect(readProfile(bytes, { format: 'collapsed' }).warnings).toEqual([])
})

test('speedscope has a profile per thread, on one clock, with gaps as empty stacks', () => {
  const builder = new ProfileBuilder({
    format: 'pprof',
    sampleTypes: [{ type: 'wall', unit: 'milliseconds' }],
  })
  const thread = (name: string) => builder.labelSet([['thread', name]])
  const work = builder.child(0, builder.functions.intern('work', 'a.ts', 3))
  builder.add(work, [2], { labelSet: thread('main'), timeMs: 0 })
  builder.add(builder.child(work, builder.functions.intern('inner')), [1], {
    labelSet: thread('main'),
    timeMs: 5,
  })
  builder.add(work, [1], { labelSet: thread('worker'), timeMs: 4 })
  expect(JSON.parse(textOf(builder.finish({ warnings: [] }), 'speedscope'))).toEqual({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: 'a profile',
    activeProfileIndex: 0,
    exporter: 'flamegate',
    shared: { frames: [{ name: 'work', file: 'a.ts', line: 3 }, { name: 'inner' }] },
    profiles: [
      {
        type: 'sampled',
        name: 'main',
        unit: 'milliseconds',
        samples: [[0], [], [0, 1]],
        weights: [2, 3, 1],
        startValue: 0,
        endValue: 6,
      },
      {
        type: 'sampled',
        name: 'worker',
        unit: 'milliseconds',
        samples: [[], [0]],
        weights: [4, 1],
        startValue: 0,
        endValue: 5,
      },
    ],
  })
})

test('d3-flame-graph gets nested nodes with totals, and what else is known', () => {
  const profile = profileOf('main;parse 2\nmain;parse;read 3\nmain 1')
  const leaf = { origin: 'Unknown', children: [] }
  expect(JSON.parse(textOf(profile, 'd3'))).toEqual({
    name: 'root',
    value: 6,
    selfValue: 0,
    valueFormatted: '6',
    children: [
      {
        name: 'main',
        value: 6,
        selfValue: 1,
        valueFormatted: '6',
        origin: 'Unknown',
        children: [
          {
            name: 'parse',
            value: 5,
            selfValue: 2,
            valueFormatted: '5',
            origin: 'Unknown',
            children: [{ name: 'read', value: 3, selfValue: 3, valueFormatted: '3', ...leaf }],
          },
        ],
      },
    ],
  })
})

test('d3-flame-graph gets no more than 500 levels, and the note says so', () => {
  const deep = profileOf(`${Array.from({ length: 600 }, (_, depth) => `f${depth}`).join(';')} 1`)
  const { bytes, notes } = exportProfile(deep, undefined, 'd3', options)
  expect(new TextDecoder().decode(bytes).match(/"name"/g)).toHaveLength(501)
  expect(notes).toEqual(['1 places deeper than 500 calls were left out; those above have their values.'])
})

test('JSON holds all columns', () => {
  const profile = readProfile(sample('cpuprofile/node.cpuprofile'))
  const document: Record<string, unknown> = JSON.parse(textOf(profile, 'json'))
  expect(document).toMatchObject({
    format: 'flamegate-profile',
    version: 1,
    source_format: 'cpuprofile',
    sample_types: profile.sampleTypes,
    functions: { name: profile.functions.names },
    nodes: { parent: [...profile.nodes.parents], self: profile.selfValues.map((column) => [...column]) },
    timeline: { time_ms: [...profile.detail!.timeline!.timesMs] },
  })
})

test('markdown tells the facts, the hot spots and the call tree', () => {
  const text = textOf(readProfile(sample('pprof/go-heap.pb.gz')), 'markdown')
  expect(text).toContain('profile: a profile')
  expect(text).toMatch(/totals: alloc_objects [\d,]+, alloc_space 143\.7 MiB/)
  expect(text).toContain('## Call tree')
})

describe('of a part of the samples', () => {
  const builder = new ProfileBuilder({
    format: 'pprof',
    sampleTypes: [
      { type: 'wall', unit: 'nanoseconds' },
      { type: 'samples', unit: 'count' },
    ],
  })
  const a = builder.child(0, builder.functions.intern('a'))
  const one = builder.labelSet([['thread', 'one']])
  const two = builder.labelSet([['thread', 'two']])
  builder.add(a, [10, 1], { labelSet: one, timeMs: 0 })
  builder.add(a, [20, 1], { labelSet: two, timeMs: 1 })
  builder.add(a, [40, 1], { labelSet: one, timeMs: 2 })
  const whole = builder.finish({ warnings: [] })
  const part = (filter: Parameters<typeof filterProfile>[2]): ImportedProfile => ({
    ...filterProfile(whole, whole.detail, filter),
    detail: filterDetail(whole.detail, filter),
  })

  test.each([
    ['a label', { labels: new Map([['thread', 'one']]) }, 50, [['thread', 'one']]],
    ['a time', { fromMs: 1, toMs: 2 }, 20, [['thread', 'two']]],
  ] as const)('by %s, only those are exported', (_what, filter, value, labels) => {
    const again = againAs(part(filter), 'pprof')
    expect(drawTree(again, 0)).toEqual([`a ${value}/${value}`])
    expect(again.detail?.labelSets.filter((set) => set.length > 0)).toEqual([labels])
    const speedscope = againAs(part(filter), 'speedscope')
    expect(drawTree(speedscope)).toEqual([`a ${value}/${value}`])
  })
})
