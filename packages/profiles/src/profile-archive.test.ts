import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { functionOrigin, readProfile, readProfileInPieces, repositoryPath, sourceLines } from './index.ts'
import { readTar } from './tar.ts'
import { drawTree } from './testing/draw-tree.ts'
import { sample } from './testing/samples.ts'

const bundled = () => sample('cpuprofile/bundled.tar.gz')

/**
 * As samples/make-bundle.mjs prints it from Node's own reader of source maps: of min.js `e` 0:10 is tinySort of line 1, `n`
 * 0:371 line 24, `i` 0:452 handleRequest of line 6, `a` 0:571 serve of line 12; of plain.js computeDiscount 27:24 is line 24.
 */
test('functions of bundles are those of their sources, and those of two builds are one', () => {
  const { functions, nodes } = readProfile(bundled())
  const own = functions.names.flatMap((name, index) => {
    const file = functions.files[index]!
    return file === '' || file.startsWith('node:') ? [] : [`${name} ${file}:${functions.startLines[index]}`]
  })
  const library = 'node_modules/.pnpm/tiny-sort@1.2.3/node_modules/tiny-sort/index.js'
  expect(own.toSorted()).toEqual([
    '(anonymous) file:///tmp/demo-app/shop/run.mjs:1',
    `(anonymous) ${library}:4`,
    '(anonymous) src/server.ts:15',
    'computeDiscount src/pricing.ts:24',
    'discounted src/pricing.ts:15',
    'handleRequest src/server.ts:6',
    'priceOf src/pricing.ts:9',
    'serve src/server.ts:12',
    `tinySort ${library}:1`,
  ])
  const serve = functions.names.indexOf('serve')
  expect(nodes.functionIndexes.filter((index) => index === serve)).toHaveLength(1)
})

test('sources of bundles have their origin and their place in the repository', () => {
  const { functions } = readProfile(bundled())
  const about = (name: string) => {
    const file = functions.files[functions.names.indexOf(name)]!
    return [functionOrigin(name, file), repositoryPath(file, 'acme/shop')]
  }
  expect(about('handleRequest')).toEqual(['User code', 'src/server.ts'])
  expect(about('tinySort')[0]).toBe('tiny-sort@1.2.3')
})

test('lines are those of the sources, where a generated line tells one', () => {
  const profile = readProfile(bundled())
  const { lines, selfValue, selfWithoutLine } = sourceLines(profile, profile.detail, {
    functionName: 'computeDiscount',
  })
  // Lines 27 to 30 were written as one statement, of which V8 tells no more.
  expect(lines.map(({ file, line }) => `${file}:${line}`)).toEqual(['src/pricing.ts:26'])
  // What ran in the minified bundle is on no line.
  expect(selfWithoutLine).toBeGreaterThan(0)
  expect(selfWithoutLine).toBeLessThan(selfValue)
})

test('an archive has the samples of the profile in it, which may be gzipped itself', async () => {
  const archive = bundled()
  const [profile] = readTar(gunzipSync(archive))
  const alone = readProfile(profile!.bytes)
  const whole = readProfile(archive)
  expect(whole.sampleCount).toBe(alone.sampleCount)
  expect(whole.selfValues.map(sum)).toEqual(alone.selfValues.map(sum))
  expect(await readProfileInPieces(inPieces(archive))).toEqual(whole)
  const zipped = tar([['cpu.cpuprofile.gz', gzipSync(profile!.bytes)]])
  expect(drawTree(readProfile(zipped))).toEqual(drawTree(alone))
})

test('maps that cannot be used are told in the warnings', () => {
  const archive = tar([
    ['stacks.txt', Buffer.from('main;read 2\n')],
    ['a.js.map', Buffer.from('nothing')],
  ])
  expect(readProfile(archive).warnings).toEqual([
    expect.stringContaining('The source map a.js.map was left out: '),
  ])
})

test.each([
  ['no profile', tar([['a.js.map', Buffer.from('{}')]]), 'the archive holds no profile'],
  [
    'two profiles',
    tar([
      ['a.txt', Buffer.from('main 1\n')],
      ['b.txt', Buffer.from('main 1\n')],
    ]),
    'an archive holds one profile, and beside it source maps (*.map) only',
  ],
  [
    'an archive in it',
    tar([['a.tar', tar([['a.txt', Buffer.from('main 1\n')]])]]),
    'the file is none of the formats that can be read',
  ],
  [
    'a cut end',
    tar([['a.txt', Buffer.from('main 1\n'.repeat(200))]]).subarray(0, 800),
    'cut off (at byte 0)',
  ],
])('an archive with %s is refused', (_what, archive, reason) => {
  expect(() => readProfile(archive)).toThrow(reason)
})

test('long names of archives are read as pax and as GNU write them, damaged ones are refused', () => {
  const long = `${'folder/'.repeat(20)}main.js.map`
  const record = ` path=${long}\n`
  const pax = `${record.length + 3}${record}`
  const content = Buffer.from('{}')
  expect(
    readTar(
      tar([
        ['x', Buffer.from(pax), 'x'],
        ['short', content],
      ]),
    ),
  ).toMatchObject([{ name: long }])
  expect(
    readTar(
      tar([
        ['x', Buffer.from(`${long}\0`), 'L'],
        ['short', content],
      ]),
    ),
  ).toMatchObject([{ name: long }])
  const two = tar([
    ['a', content],
    ['b', content],
  ])
  two[1024]! ^= 1
  expect(() => readTar(two)).toThrow('the tar archive is damaged (at byte 1024)')
})

test('records of pax are read in the time that their bytes take', () => {
  const hostile = Buffer.from('1 '.repeat(2 ** 22))
  const many = Buffer.from('5 a=\n'.repeat(2 ** 21))
  const files = readTar(
    tar([
      ['x', hostile, 'x'],
      ['first', Buffer.of()],
      ['x', many, 'x'],
      ['second', Buffer.of()],
    ]),
  )
  expect(files.map(({ name }) => name)).toEqual(['first', 'second'])
})

test('an archive of very many entries is refused, whatever these are', () => {
  const folders = tar(Array.from({ length: 50_001 }, () => ['a/', Buffer.of(), '5'] as const))
  expect(() => readTar(folders)).toThrow('the archive has more than 50000 entries')
})

test('what is in an archive may have no more bytes in all than a file', () => {
  const stacks = Buffer.from('main;read 1\n'.repeat(1000))
  const map = Buffer.from(JSON.stringify({ version: 3, sources: [], mappings: ';'.repeat(10_000) }))
  const zipped = ['stacks.txt.gz', gzipSync(stacks)] as const
  expect(countOf([zipped], 14_000)).toBe(1000)
  expect(() => countOf([zipped, ['a.js.map', map]], 14_000)).toThrow('bytes when decompressed')
  expect(() =>
    countOf(
      [
        ['stacks.txt', stacks],
        ['a.js.map', map],
      ],
      20_000,
    ),
  ).toThrow('20000 bytes when decompressed')
})

test('a large archive that comes in pieces is an archive', async () => {
  const stacks = Buffer.from(`${randomBytes(2 ** 20).toString('hex')};read 2\n`)
  const profile = await readProfileInPieces(inPieces(gzipSync(tar([['stacks.txt', stacks]]))))
  expect(profile).toMatchObject({ format: 'collapsed', sampleCount: 2 })
})

test('what macOS puts into archives is passed over', () => {
  const archive = tar([
    ['./._stacks.txt', Buffer.from('Mac OS X')],
    ['./stacks.txt', Buffer.from('main;read 2\n')],
    ['./dist/', Buffer.of(), '5'],
  ])
  expect(drawTree(readProfile(archive))).toEqual(['main 2/0', '  read 2/2'])
})

function countOf(files: Parameters<typeof tar>[0], maxDecompressedBytes: number): number {
  return readProfile(gzipSync(tar(files)), { maxDecompressedBytes }).sampleCount
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 300_000) yield Promise.resolve(bytes.subarray(at, at + 300_000))
}

function sum(values: Float64Array): number {
  return Math.round(values.reduce((total, value) => total + value, 0))
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
function tar(files: readonly (readonly [name: string, content: Uint8Array, type?: string])[]): Buffer {
  const blocks = files.flatMap(([name, content, type = '0']) => {
    const header = Buffer.alloc(512)
    header.write(name)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write(' '.repeat(8), 148)
    header.write(type, 156)
    header.write('ustar', 257)
    const total = header.reduce((so, byte) => so + byte, 0)
    header.write(`${total.toString(8).padStart(6, '0')}\0`, 148)
    return [header, content, Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
