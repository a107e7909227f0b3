import { expect, test } from 'vitest'
import { FormatError } from '../format-error.ts'
import { readProfile } from '../read-profile.ts'
import { drawRows } from '../testing/draw-rows.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { profileOf } from '../testing/stacks.ts'

test('stacks merge where they begin alike', () => {
  const profile = profileOf(`
    main;parse;read 2
    main;parse 1
    main;render 4
    main;parse;read 1
  `)
  expect(drawTree(profile)).toEqual(['main 8/0', '  parse 4/1', '    read 3/3', '  render 4/4'])
})

test('a frame that begins like another is another', () => {
  expect(drawTree(profileOf('main;read 1\nmain;reader 2\nmain;re 4\nma;in 8'))).toEqual([
    'main 7/0',
    '  read 1/1',
    '  reader 2/2',
    '  re 4/4',
    'ma 8/0',
    '  in 8/8',
  ])
})

test('names may hold spaces and numbers, and the count may be after a tab', () => {
  expect(drawTree(profileOf('main;operator new 3\nmain;operator new\t4\nmain;a 1 5\r\n'))).toEqual([
    'main 12/0',
    '  operator new 7/7',
    '  a 1 5/5',
  ])
})

test('UTF-8 and UTF-16 with a byte order mark are read', () => {
  const text = 'größe;日本 2\n'
  const utf8 = new TextEncoder().encode(`\ufeff${text}`)
  const utf16 = new Uint8Array(
    Uint16Array.from(`\ufeff${text}`, (character) => character.charCodeAt(0)).buffer,
  )
  expect(drawTree(readProfile(utf8))).toEqual(['größe 2/0', '  日本 2/2'])
  expect(drawTree(readProfile(utf16))).toEqual(['größe 2/0', '  日本 2/2'])
})

test('comments and empty lines are skipped, private methods are not comments', () => {
  expect(drawTree(profileOf('# samples of today\n\n// or not\n#load;parse 2\n'))).toEqual([
    '#load 2/0',
    '  parse 2/2',
  ])
})

test('lines that are not stacks are skipped and named, when there are few', () => {
  const profile = profileOf('a;b 1\na;c 2\noops\na 3\nbad -1\n')
  expect(drawTree(profile)).toEqual(['a 6/3', '  b 1/1', '  c 2/2'])
  expect(profile.warnings).toEqual([
    'Lines that are not stacks were skipped: line 3 "oops", line 5 "bad -1".',
  ])
})

test('a file with as many other lines as stacks is refused at the first one', () => {
  expect(() => profileOf('main 1\noops')).toThrow(
    new FormatError('expected "frame;frame count", found "oops"', { format: 'collapsed', where: 'line 2' }),
  )
})

test('text that is not UTF-8 is refused at its byte', () => {
  const bytes = new TextEncoder().encode('main;pärse 1\n'.repeat(400_000))
  bytes[5_000_000] = 0xff
  expect(() => readProfile(bytes)).toThrow('collapsed: the text is not valid UTF-8 (at byte 5000000)')
})

test('a stack that is as deep as an endless recursion takes no time, also as the first one', () => {
  const depth = 50_000
  const begin = process.threadCpuUsage()
  const profile = profileOf(`${'recurse;'.repeat(depth)}leaf 2\nmain 1\n`)
  expect(process.threadCpuUsage(begin).user / 1000).toBeLessThan(1000)
  expect(profile.nodes.parents).toHaveLength(depth + 3)
})

test('two counts on every line are of two profiles, and refused', () => {
  const compared = ['work 10 12', 'rest\t3 0', 'read 5 5', 'write 0 7', 'close 1 1'].map(
    (end) => `main;${end}\n`,
  )
  expect(() => profileOf(compared.join(''))).toThrow(
    'collapsed: it compares two profiles, as difffolded.pl does: import each of them by itself',
  )
  expect(profileOf(compared.slice(1).join('')).sampleCount).toBe(13)
  expect(drawTree(profileOf('main;work 10 12\nmain;rest 3\n'))).toEqual([
    'main 15/0',
    '  work 10 12/12',
    '  rest 3/3',
  ])
})

test('counts of zero are no samples', () => {
  expect(() => profileOf('main;parse 0\n')).toThrow('collapsed: the profile holds no samples')
})

test('what another tool printed of a Go profile has the same rows as the profile itself', () => {
  expect(drawRows('collapsed/go-cpu.collapsed.txt')).toEqual(drawRows('pprof/go-cpu.pb.gz'))
})
