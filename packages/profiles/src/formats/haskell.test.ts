import { expect, test } from 'vitest'
import { FormatError } from '../index.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample, sampleText } from '../testing/samples.ts'
import { readText, readTextAs } from '../testing/text-profile.ts'

test('JSON has ticks, their time, bytes and entries', () => {
  const profile = readProfile(sample('haskell/trees.json'))
  expect(profile.format).toBe('haskell')
  expect(profile.sampleTypes).toEqual([
    { type: 'samples', unit: 'count' },
    { type: 'cpu', unit: 'nanoseconds' },
    { type: 'alloc_space', unit: 'bytes' },
  ])
  expect(drawTree(profile)).toEqual([
    'MAIN.MAIN 250000000/0',
    '  Main.main 250000000/10000000',
    '    Main.make 200000000/200000000',
    '    Main.main.long 40000000/0',
    '      Main.make 40000000/40000000',
  ])
  expect(drawTree(profile, 2)[0]).toBe('MAIN.MAIN 400000000/688')
  expect(Array.from(profile.nodes.calls!)).toEqual([0, 0, 1, 524_287, 1, 131_071])
  expect(profile.functions.files).toEqual(['', 'src/Main.hs', 'src/Main.hs', 'src/Main.hs'])
  expect(Array.from(profile.functions.startLines)).toEqual([0, 8, 20, 11])
  expect(profile).toMatchObject({ sampleCount: 250, durationMs: 250, warnings: [] })
})

test('the text of -p has the same tree, worked out of percentages', () => {
  const profile = readProfile(sample('haskell/trees.prof'))
  expect(profile.format).toBe('haskell')
  expect(drawTree(profile)).toEqual([
    'MAIN.MAIN 250000000/0',
    '  GHC.IO.Encoding.CAF 0/0',
    '  Main.CAF 250000000/0',
    '    Main.main 250000000/10000000',
    '      Main.main.long 60000000/0',
    '        Main.make 50000000/50000000',
    '        Main.check 10000000/10000000',
    '      Main.make 100000000/100000000',
    '      Main.check 80000000/80000000',
  ])
  expect(drawTree(profile, 2).slice(4, 7)).toEqual([
    '      Main.main.long 96000000/0',
    '        Main.make 80000000/80000000',
    '        Main.check 16000000/16000000',
  ])
  expect(Array.from(profile.nodes.calls!).slice(5)).toEqual([1, 131_071, 131_071, 524_287, 524_287])
  expect(profile.warnings).toEqual([expect.stringContaining('percentages')])
})

test('the text of -P has the numbers themselves, and names may hold spaces', () => {
  const profile = readProfile(sample('haskell/trees-exact.prof'))
  expect(drawTree(profile, 0)).toEqual([
    'MAIN.MAIN 250/0',
    '  Main.main with 250/1',
    '    Main.make 150/150',
    '    Main.check 99/99',
  ])
  expect(drawTree(profile, 2)[1]).toBe('  Main.main with 399999312/19999312')
  expect(profile.functions.files[1]).toBe('')
  expect(profile.warnings).toEqual([])
})

test('reports of before GHC 8 have no sources', () => {
  const profile = readText(`
	Mon Oct 27 18:39 2014 Time and Allocation Profiling Report  (Final)

	   treetest6 +RTS -p -RTS

	total time  =        2.00 secs   (100 ticks @ 20 ms)
	total alloc = 1,000 bytes  (excludes profiling overheads)

COST CENTRE  MODULE                  no.     entries  %time %alloc   %time %alloc

MAIN         MAIN                     46           0    0.0    0.0   100.0  100.0
 mkTree      Main                     96           3   75.0   40.0   100.0  100.0
  treeCount  Main                     98           1   25.0   60.0    25.0   60.0
`)
  expect(drawTree(profile)).toEqual([
    'MAIN.MAIN 2000000000/0',
    '  Main.mkTree 2000000000/1500000000',
    '    Main.treeCount 500000000/500000000',
  ])
})

test('a program that ended before its first tick shows what it allocated', () => {
  const profile = readText(
    sampleText('haskell/trees-exact.prof')
      .replace('(250 ticks', '(0 ticks')
      .replaceAll(/ (1|150|99) ( *\d+)$/gm, ' 0 $2'),
  )
  expect(drawTree(profile)[0]).toBe('MAIN.MAIN 400000000/688')
})

test.each<[string, string, RegExp]>([
  [
    'a report without its tree',
    sampleText('haskell/trees.prof').slice(0, 700),
    /no table of cost centre stacks/,
  ],
  [
    'a row that is indented too far',
    sampleText('haskell/trees.prof').replace(' CAF            GHC', '    CAF         GHC'),
    /more than one level/,
  ],
  [
    'a stack of no cost centre',
    sampleText('haskell/trees.json').replace('"id": 1, "entries"', '"id": 9, "entries"'),
    /no such cost centre \(at \$\.profile\.children\[0\]\.children\[1\]\.id\)/,
  ],
  [
    'negative ticks',
    sampleText('haskell/trees.json').replace('"ticks": 40', '"ticks": -40'),
    /no negative numbers/,
  ],
])('%s is refused', (_, text, message) => {
  expect(() => readTextAs('haskell', text)).toThrow(FormatError)
  expect(() => readTextAs('haskell', text)).toThrow(message)
})
