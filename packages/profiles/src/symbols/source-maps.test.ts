import * as fc from 'fast-check'
import { SourceMap as NodeSourceMap } from 'node:module'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readTar } from '../tar.ts'
import { sample } from '../testing/samples.ts'
import { gunzip } from '../gunzip.ts'
import { decodeMappings, segmentAt } from './mappings.ts'
import { SourceMaps } from './source-maps.ts'

const bytes = (document: unknown) => new TextEncoder().encode(JSON.stringify(document))
const mapsOf = (document: unknown, name = 'dist/main.js.map') =>
  new SourceMaps([{ name, bytes: bytes(document) }])

/** `function t(` and `,n=e=>` on one line: `t` is handleRequest of line 6, `n` is price of line 9, `e` its amount. */
const plain = {
  version: 3,
  sources: ['../src/server.ts', '../src/price.ts'],
  names: ['handleRequest', 'price', 'amount'],
  // 0: function   9: t     10: (      20: n          22: e
  mappings: 'AAKA,SAASA,CAAA,UCGTC,EAAAC',
}

test('a function has the name and the place that it was written with', () => {
  const maps = mapsOf(plain)
  const ofApp = (line: number, column: number, name: string) =>
    maps.functionAt('file:///app/dist/main.js', line, column, name)
  expect(ofApp(1, 11, 't')).toEqual({ name: 'handleRequest', file: 'src/server.ts', line: 6 })
  expect(ofApp(1, 23, 'n')).toEqual({ name: 'price', file: 'src/price.ts', line: 9 })
  expect(maps.warnings()).toEqual([])
})

test('a name is that of the function, not of what stands near it', () => {
  const maps = mapsOf(plain)
  // Longer than the identifier that is there, so it is another.
  expect(maps.functionAt('/dist/main.js', 1, 23, 'handle')).toMatchObject({ name: undefined, line: 9 })
  expect(maps.functionAt('/dist/main.js', 1, 1, 't')).toBeUndefined()
})

test('a function without a name does not get that of the function it is given to', () => {
  // addEventListener( is named, and what is given to it starts at column 17.
  const call = { version: 3, sources: ['a.ts'], names: ['addEventListener'], mappings: 'AAAAA,iBAAA' }
  expect(mapsOf(call).functionAt('dist/main.js', 1, 18, '(anonymous)')).toEqual({
    name: undefined,
    file: 'dist/a.ts',
    line: 1,
  })
})

test('a class without a constructor starts at its keyword, before its name', () => {
  // class e{
  const ofClass = { version: 3, sources: ['a.ts'], names: ['PriceList'], mappings: 'AAAA;AACA,MAAMA' }
  expect(mapsOf(ofClass).functionAt('/dist/main.js', 2, 1, 'e')).toEqual({
    name: 'PriceList',
    file: 'dist/a.ts',
    line: 2,
  })
})

test('a script that was put together from several sources is none of them, one from one source is that', () => {
  expect(mapsOf(plain).functionAt('dist/main.js', 1, 1, '(anonymous)')).toBeUndefined()
  const single = { version: 3, sources: ['../src/server.ts'], names: [], mappings: 'AAAA' }
  expect(mapsOf(single).functionAt('dist/main.js', 1, 1, '(anonymous)')).toMatchObject({
    file: 'src/server.ts',
    line: 1,
  })
})

const map = (mappings: string) => mapsOf({ version: 3, sources: ['a.ts'], names: [], mappings })

test('a generated line is the first of its original lines, unless it is minified', () => {
  expect(map('AAAA;AAEA,IACA').lineOf('dist/main.js', 'dist/a.ts', 2)).toBe(3)
  // From line 1 to line 17.
  expect(map('AAAA,IAgBA').lineOf('dist/main.js', 'dist/a.ts', 1)).toBe(0)
  expect(map('AAAA,IAgBA').lineOf('dist/main.js', 'dist/a.ts', 1, 5)).toBe(17)
  expect(map('AAAA').lineOf('dist/main.js', 'dist/a.ts', 7)).toBe(0)
})

test('sources of one path are one, as those of webpack that differ in what follows ?', () => {
  const maps = mapsOf({
    version: 3,
    sources: ['webpack://shop/./src/a.vue?1f3a', 'webpack://shop/./src/a.vue?2b4c'],
    names: [],
    mappings: 'AAAA;ACEA;ADCA',
  })
  const lineOf = (line: number, column?: number) => maps.lineOf('dist/main.js', 'src/a.vue', line, column)
  expect([1, 2, 3].map((line) => [lineOf(line), lineOf(line, 1)])).toEqual([
    [1, 1],
    [3, 3],
    [4, 4],
  ])
})

const section = (source: string, mappings: string) => ({
  version: 3,
  sources: [source],
  names: [],
  mappings,
})

test('a map of sections is read section by section', () => {
  const maps = mapsOf({
    version: 3,
    sections: [
      { offset: { line: 0, column: 0 }, map: section('webpack://shop/./src/a.ts', 'AAAA;AACA') },
      { offset: { line: 1, column: 10 }, map: section('webpack://shop/./src/b.ts', 'AAAA;AAKA') },
    ],
  })
  const at = (line: number, column: number) => maps.functionAt('dist/main.js', line, column, 'f')
  expect(at(2, 10)).toMatchObject({ file: 'src/a.ts', line: 2 })
  expect(at(2, 11)).toMatchObject({ file: 'src/b.ts', line: 1 })
  expect(at(3, 1)).toMatchObject({ file: 'src/b.ts', line: 6 })
})

test.each([
  ['file:///app/dist/main.js', 'dist/main.js.map', true],
  ['https://shop.example/assets/main.js?v=2', 'main.js.map', true],
  ['C:\\app\\dist\\main.js', 'dist/main.js.map', true],
  ['/app/dist/main.js', '/app/dist/main.js.map', true],
  ['/app/dist/domain.js', 'main.js.map', false],
  ['/app/node_modules/left-pad/main.js', 'dist/main.js.map', false],
  ['/app/node_modules/left-pad/dist/main.js', 'dist/main.js.map', false],
  ['/app/node_modules/left-pad/dist/main.js', 'node_modules/left-pad/dist/main.js.map', true],
])('of the script %s, %s is the map: %s', (script, name, isIts) => {
  expect(mapsOf(plain, name).functionAt(script, 1, 11, 't') !== undefined).toBe(isIts)
})

const mapOf = (source: string, file?: string) =>
  bytes({ version: 3, file, sources: [source], names: [], mappings: 'AAAA' })

test('of several maps the longest name counts; one that names a script whole is of no other', () => {
  const maps = new SourceMaps([
    { name: 'main.js.map', bytes: mapOf('/short.ts') },
    { name: 'dist/main.js.map', bytes: mapOf('/long.ts') },
    { name: 'elsewhere/main.js.map', bytes: mapOf('/whole.ts', 'file:///app/lib/main.js') },
  ])
  const fileOf = (script: string) => maps.functionAt(script, 1, 1, 'f')?.file
  expect(fileOf('file:///app/dist/main.js')).toBe('/long.ts')
  expect(fileOf('file:///app/lib/main.js')).toBe('/whole.ts')
  expect(fileOf('file:///app/elsewhere/main.js')).toBe('/short.ts')
})

test('a script that Windows names is known whole', () => {
  const script = 'C:\\app\\dist\\main.js'
  const maps = new SourceMaps([{ name: 'elsewhere/a.map', bytes: mapOf('/a.ts', script) }])
  expect(maps.functionAt(script, 1, 1, 'f')?.file).toBe('/a.ts')
})

test('that no map is of a script is told, once maps were to be found by their names', () => {
  const maps = mapsOf(plain, 'build/main.js.map')
  const reason = expect.stringMatching(/^No source map is of a script in the profile: .*\.$/)
  expect(maps.functionAt('file:///app/dist/main.js', 1, 11, 't')).toBeUndefined()
  expect(maps.warnings()).toEqual([reason])
  maps.functionAt('file:///app/build/main.js', 1, 11, 't')
  expect(maps.warnings()).toEqual([])
})

test('of many maps that were left out, the first ones are told', () => {
  const files = Array.from({ length: 500 }, (_, index) => ({ name: `${index}.map`, bytes: bytes('none') }))
  const warnings = new SourceMaps(files).warnings()
  expect(warnings).toHaveLength(11)
  expect(warnings.at(-1)).toBe('490 more source maps were left out.')
})

test('lines that no section of a map tells of are not beyond its end', () => {
  const maps = mapsOf({
    version: 3,
    sections: [
      { offset: { line: 0, column: 0 }, map: section('a.ts', 'AAAA') },
      { offset: { line: 9, column: 4 }, map: section('b.ts', 'AAAA') },
    ],
  })
  expect(maps.functionAt('dist/main.js', 5, 1, 'f')).toBeUndefined()
  expect(maps.functionAt('dist/main.js', 10, 1, 'f')).toBeUndefined()
  expect(maps.warnings()).toEqual([])
  expect(maps.functionAt('dist/main.js', 11, 1, 'f')).toBeUndefined()
  expect(maps.warnings()).toHaveLength(1)
})

test('functions beyond what a map is of stay, and are counted once', () => {
  const maps = mapsOf(plain)
  for (let time = 0; time < 2; time++) {
    expect(maps.functionAt('dist/main.js', 2, 5, 'a')).toBeUndefined()
    expect(maps.functionAt('dist/main.js', 9, 5, 'b')).toBeUndefined()
  }
  expect(maps.warnings()).toEqual([
    '2 functions start beyond the end of what the source map dist/main.js.map is of, and stay as they were: it may be of another build.',
  ])
})

test.each([
  ['no JSON', 'hello', 'character'],
  ['another version', JSON.stringify({ ...plain, version: 2 }), '$.version'],
  ['no mappings', JSON.stringify({ version: 3, sources: [] }), '$.mappings'],
  ['a broken character', JSON.stringify({ ...plain, mappings: 'AAAA,!' }), 'character 5'],
  ['a number without an end', JSON.stringify({ ...plain, mappings: 'AAAA,gggggggg' }), 'damaged'],
  ['a source that is not there', JSON.stringify({ ...plain, mappings: 'AEAA' }), 'damaged'],
  ['a name that is not there', JSON.stringify({ ...plain, mappings: 'AAAAG' }), 'damaged'],
  ['a line before the first', JSON.stringify({ ...plain, mappings: 'AADA' }), 'damaged'],
  ['half a segment', JSON.stringify({ ...plain, mappings: 'AA' }), 'damaged'],
  ['more than a segment', JSON.stringify({ ...plain, mappings: 'AAAAAA' }), 'damaged'],
])('a map with %s is left out, with the reason', (_what, text, reason) => {
  const maps = new SourceMaps([{ name: 'main.js.map', bytes: new TextEncoder().encode(text) }])
  expect(maps.functionAt('main.js', 1, 11, 't')).toBeUndefined()
  expect(maps.warnings()).toEqual([expect.stringMatching(/^The source map main.js.map was left out: /)])
  expect(maps.warnings()[0]).toContain(reason)
})

test('maps of too many segments, sources, names or sections are left out before they take memory', () => {
  const many = { ...plain, mappings: ';'.repeat(limits.sourceMapSegments) }
  expect(mapsOf(many).warnings()).toEqual([expect.stringContaining('too many segments')])
  const sources = { ...plain, sources: Array.from({ length: limits.sourceMapSegments / 16 }, () => 'a') }
  expect(mapsOf(sources).warnings()).toEqual([expect.stringContaining('too many segments')])
  const names = { ...plain, names: Array.from({ length: limits.sourceMapSegments / 2 }, () => 0) }
  expect(mapsOf(names).warnings()).toEqual([expect.stringContaining('too many segments')])
  const sections = Array.from({ length: limits.sourceMapSegments / 64 }, (_, line) => ({
    offset: { line, column: 0 },
    map: { version: 3, sources: [], mappings: '' },
  }))
  expect(mapsOf({ version: 3, sections }).warnings()).toEqual([expect.stringContaining('too many segments')])
})

test('millions of segments at one column do not hold up the look for a name', () => {
  const segments = 2 ** 21
  const maps = mapsOf({ ...plain, sources: ['a.ts'], mappings: `${'AAAAA,'.repeat(segments)}CAAA` })
  // Each would be a pass over all of them.
  for (let column = 4; column < 20_000; column++)
    expect(maps.functionAt('dist/main.js', 1, 4 + (column % 20), 'abc')?.name).toBeUndefined()
})

test('segments of a line may come in any order', () => {
  // Columns 8 and then 4.
  const mappings = decodeMappings('QAEA,JADA', { sourceCount: 1, nameCount: 0 })
  expect([...mappings.columns]).toEqual([4, 8])
  expect([...mappings.originalLines]).toEqual([1, 2])
})

/** https://nodejs.org/api/module.html#class-modulesourcemap */
test('every place of real maps is where Node.js says', () => {
  const files = readTar(gunzip(sample('cpuprofile/bundled.tar.gz'), 2 ** 24)).filter(({ name }) =>
    name.endsWith('.map'),
  )
  expect(files).toHaveLength(2)
  for (const file of files) {
    const document = JSON.parse(Buffer.from(file.bytes).toString())
    const oracle = new NodeSourceMap(document)
    const mappings = decodeMappings(document.mappings, {
      sourceCount: document.sources.length,
      nameCount: document.names.length,
    })
    expect(mappings.columns.length).toBeGreaterThan(100)
    for (let line = 0; line < mappings.lineStarts.length - 1; line++) {
      for (let at = mappings.lineStarts[line]!; at < mappings.lineStarts[line + 1]!; at++) {
        const entry = oracle.findEntry(line, mappings.columns[at]!)
        if (!('originalSource' in entry)) throw new TypeError('Node.js has no such entry')
        const segment = segmentAt(mappings, line, mappings.columns[at]!)
        // Node.js tells what comes before, where a segment is of no source.
        if (mappings.sources[segment] === -1) continue
        expect([mappings.originalLines[segment], document.sources[mappings.sources[segment]!]]).toEqual([
          entry.originalLine,
          entry.originalSource,
        ])
        expect(document.names[mappings.names[segment]!]).toBe(Reflect.get(entry, 'name'))
      }
    }
  }
})

test('whatever a map says, an answer or a reason comes of it', () => {
  const mappings = fc.string({
    unit: fc.constantFrom(...'A A A C D E G I g Q + / ; ; , , , !'.split(' ')),
    maxLength: 60,
  })
  const oneMap = fc.record({
    version: fc.constantFrom(3, 3, 3, '3'),
    sources: fc.array(fc.constantFrom('a.ts', '../b.ts', 'webpack://x/./c.ts', null, 7), { maxLength: 3 }),
    names: fc.array(fc.constantFrom('one', 'two', null), { maxLength: 3 }),
    sourceRoot: fc.constantFrom(undefined, '/', '..', 5),
    mappings,
  })
  const offset = fc.record({ line: fc.nat(3), column: fc.nat(9) })
  const sections = fc.record({
    version: fc.constant(3),
    sections: fc.array(fc.record({ offset, map: oneMap }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.oneof(oneMap, sections), fc.nat(5), fc.nat(30), (document, line, column) => {
      const maps = mapsOf(document)
      const found = maps.functionAt('dist/main.js', line, column, 'f')
      const file = found?.file ?? 'dist/a.ts'
      expect(maps.lineOf('dist/main.js', file, line)).toBeGreaterThanOrEqual(0)
      for (const warning of maps.warnings()) expect(warning).toMatch(/\.$/)
    }),
    { numRuns: 2000 },
  )
})
