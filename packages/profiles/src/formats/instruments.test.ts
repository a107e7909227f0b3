import { expect, test } from 'vitest'
import { FormatError } from '../index.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { readText, readTextAs } from '../testing/text-profile.ts'

test('time profiles have what is printed as self weight', () => {
  const profile = readProfile(sample('instruments/time.txt'))
  expect(profile.format).toBe('instruments')
  expect(profile.sampleTypes).toEqual([{ type: 'time', unit: 'nanoseconds' }])
  expect(drawTree(profile)).toEqual([
    'shop (815) 1530000000/0',
    '  Main Thread  0x31f 1200000000/0',
    '    main 1200000000/200000000',
    '      sort(_:) 900000000/900000000',
    '      hash(_:) 100000000/100000000',
    '  thread_start  0x320 330000000/0',
    '    hash(_:) 330000000/330000000',
  ])
  expect(profile.warnings).toEqual([])
})

test('allocations have bytes and objects, of which a function has what those below it have not', () => {
  const profile = readProfile(sample('instruments/allocations.txt'))
  expect(profile.sampleTypes).toEqual([
    { type: 'space', unit: 'bytes' },
    { type: 'objects', unit: 'count' },
  ])
  expect(drawTree(profile).slice(2)).toEqual([
    '    main 13107200/0',
    '      -[Cart load:] 10485760/2097152',
    '        malloc 8388608/8388608',
    '      -[Cart draw] 2621440/0',
    '        malloc 2621440/2621440',
  ])
  expect(drawTree(profile, 1).slice(3, 5)).toEqual(['      -[Cart load:] 1000/400', '        malloc 600/600'])
})

test.each<[string, string, string[]]>([
  [
    'of Instruments 7',
    'Running Time\tSelf (ms)\t\tSymbol Name\n20.0ms   99.9%\t2\t \tstart\n18.0ms   49.7%\t18.0\t \t main\n',
    ['start 20000000/2000000', '  main 18000000/18000000'],
  ],
  [
    'of cycles',
    'Weight\tSelf Weight\t\tSymbol Name\n1.50 Gc  100.0%\t-\t \tapp (4)\n1.50 Gc  100.0%\t1.50 Gc\t \t start\n',
    ['app (4) 1500000000/0', '  start 1500000000/1500000000'],
  ],
  [
    'of Instruments 16, indented as a whole',
    'Weight\tSelf Weight\tSymbol Names\n4.9 min  100.0%\t0 s\t   start\n4.9 min   \u20070.0%\t4.9 min\t    main\n',
    ['start 294000000000/0', '  main 294000000000/294000000000'],
  ],
  [
    'with decimal commas',
    'Weight\tSelf Weight\tSymbol Names\n1,33 s  100,0%\t0,1 s\tstart\n1,23 s  92,5%\t1.234,5 ms\t main\n',
    ['start 1334500000/100000000', '  main 1234500000/1234500000'],
  ],
  [
    'with source paths',
    'Weight\tSymbol Name\tSource Path\n10 us  100.0%\tmain\t/src/main.c\n4 us  40.0%\t read\t/src/read.c\n',
    ['main 10000/6000', '  read 4000/4000'],
  ],
])('columns %s are understood', (_, text, tree) => {
  expect(drawTree(readText(text))).toEqual(tree)
})

const withChild = (child: string) =>
  readText(`Weight\tSymbol Name\n1.00 s  100.0%\tmain\n${child}  99.9%\t read\nx\ty\n`)

test('rounded numbers are no matter, but wrong ones are said', () => {
  expect(withChild('1.01 s').warnings).toHaveLength(1)
  expect(withChild('2.00 s').warnings).toEqual([
    'In 1 rows, callees have more than the function that called them.',
    '1 lines were not understood, the first one is "x\\ty".',
  ])
})

test.each<[string, string, RegExp]>([
  ['text without columns', 'Weight\n', /expected columns/],
  ['a table without rows', 'Weight\tSymbol Name\n', /no samples/],
  [
    'units of two kinds',
    'Weight\tSymbol Name\n1 s  1%\ta\n1 MB  1%\tb\n',
    /another kind than before \(at line 3\)/,
  ],
])('%s is refused', (_, text, message) => {
  expect(() => readTextAs('instruments', text)).toThrow(FormatError)
  expect(() => readTextAs('instruments', text)).toThrow(message)
})
