import { expect, test } from 'vitest'
import { FormatError } from '../index.ts'
import { readProfile } from '../read-profile.ts'
import { drawCalledFunctions } from '../testing/draw-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'

type Key = [file: string, line: number, name: string]
type Callers = [Key, number | [calls: number, primitive: number, own: number, total: number]][]
type Entry = [Key, [primitive: number, calls: number, own: number, total: number], Callers]

const text = (value: string) => [0x7a, value.length, ...new TextEncoder().encode(value)]
const int = (value: number) => [0x69, ...new Uint8Array(Int32Array.of(value).buffer)]
const float = (value: number) => [0x67, ...new Uint8Array(Float64Array.of(value).buffer)]
const tuple = (...values: number[][]) => [0x29, values.length, ...values.flat()]
const dict = (...entries: number[][]) => [0x7b, ...entries.flat(), 0x30]
const key = ([file, line, name]: Key) => tuple(text(file), int(line), text(name))

/** A dump as `marshal` writes it. */
function dump(...entries: Entry[]): Uint8Array {
  return Uint8Array.from(
    dict(
      ...entries.map(([name, [primitive, calls, own, total], callers]) => [
        ...key(name),
        ...tuple(
          int(primitive),
          int(calls),
          float(own),
          float(total),
          dict(
            ...callers.map(([caller, value]) => [
              ...key(caller),
              ...(typeof value === 'number'
                ? int(value)
                : tuple(int(value[0]), int(value[1]), float(value[2]), float(value[3]))),
            ]),
          ),
        ),
      ]),
    ),
  )
}

const main: Key = ['app.py', 9, 'main']
const parse: Key = ['app.py', 3, 'parse']
const len: Key = ['~', 0, '<built-in method builtins.len>']

test('callers make a tree of times in nanoseconds, with calls', () => {
  const profile = readProfile(
    dump(
      [main, [1, 1, 0.25, 1], []],
      [parse, [3, 3, 0.5, 0.75], [[main, [3, 3, 0.5, 0.75]]]],
      [len, [30, 30, 0.25, 0.25], [[parse, [30, 30, 0.25, 0.25]]]],
    ),
  )
  expect(profile.format).toBe('pstats')
  expect(profile.sampleTypes).toEqual([{ type: 'time', unit: 'nanoseconds' }])
  expect(drawTree(profile)).toEqual([
    'main 1000000000/250000000',
    '  parse 750000000/500000000',
    '    {built-in method builtins.len} 250000000/250000000',
  ])
  expect(Array.from(profile.nodes.calls!)).toEqual([0, 1, 3, 30])
  expect(profile.sampleCount).toBe(34)
  expect(profile.functions.files).toEqual(['app.py', 'app.py', ''])
  expect(Array.from(profile.functions.startLines)).toEqual([9, 3, 0])
})

test('the pure Python profile tells only how often callers called', () => {
  const other: Key = ['app.py', 20, 'other']
  const profile = readProfile(
    dump(
      [main, [1, 1, 0.1, 0.4], []],
      [other, [1, 1, 0.1, 0.7], []],
      [
        parse,
        [4, 4, 0.8, 0.8],
        [
          [main, 1],
          [other, 3],
        ],
      ],
    ),
  )
  expect(drawTree(profile)).toEqual([
    'main 300000000/100000000',
    '  parse 200000000/200000000',
    'other 700000000/100000000',
    '  parse 600000000/600000000',
  ])
})

test('times that are negative, as timers that go backwards make them, count as 0', () => {
  const profile = readProfile(
    dump([main, [1, 1, -1e-6, 1e-3], []], [parse, [1, 1, 1e-3, 1e-3], [[main, [1, 1, 1e-3, 1e-3]]]]),
  )
  expect(drawTree(profile)).toEqual(['main 1000000/0', '  parse 1000000/1000000'])
  expect(profile.warnings).toEqual(['1 times are negative and count as 0.'])
})

test.each<[string, number[], RegExp]>([
  ['no functions', dict(), /no samples/],
  ['a cut end', [...dump([main, [1, 1, 0.25, 1], []])].slice(0, -9), /cut off \(at byte \d+\)/],
  ['a length that is too large', [0x7b, 0x28, 0xff, 0xff, 0xff, 0x7f], /cut off/],
  ['a negative length', [0x7b, 0x28, 0xff, 0xff, 0xff, 0xff], /negative \(at byte 2\)/],
  ['code', [0x7b, 0x29, 1, 0x63], /what a profile does not \(at byte 3\)/],
  ['tuples in tuples', [0x7b, ...Array.from({ length: 40 }, () => [0x29, 1]).flat()], /8 deep/],
  ['a reference to itself', [0x7b, 0xa9, 1, 0x72, 0, 0, 0, 0], /not there \(at byte 3\)/],
  ['a key that is no function', dict(tuple(int(1)), int(1)), /a function as 3 values/],
])('%s is refused', (_, bytes, message) => {
  const read = () => readProfile(Uint8Array.from(bytes), { format: 'pstats' })
  expect(read).toThrow(FormatError)
  expect(read).toThrow(message)
})

const onceWith = (callers: number[]) => tuple(int(1), int(1), float(1), float(1), callers)

test('one dict of callers that all functions share does not multiply the work', () => {
  const names = Array.from({ length: 300 }, (_, index): Key => ['a.py', index, `f${index}`])
  const callers = dict(...names.map((name) => [...key(name), ...int(1)]))
  const bytes = dict(
    [...key(names[0]!), ...onceWith([callers[0]! | 0x80, ...callers.slice(1)])],
    ...names.slice(1).map((name) => [...key(name), ...onceWith([0x72, 0, 0, 0, 0])]),
  )
  expect(() => readProfile(Uint8Array.from(bytes))).toThrow(/more callers than the file could hold/)
})

// What `pstats` says of the dumps: name, all calls, tottime and cumtime in nanoseconds (samples/make-pstats.py prints it).
const said: Record<string, { calls: number; rows: string[] }> = {
  'python-2.7': {
    calls: 191_614,
    rows: [
      'main 1 1446000/53547000',
      'deepcopy 16383 8042000/22510000',
      '_deepcopy_list 4095 3310000/22498000',
      'fib 57313 9244000/9244000',
      '_deepcopy_dict 4096 3898000/8189000',
      'raw_decode 1 5533000/5533000',
      'iterencode 1 4524000/4524000',
      '_keep_alive 8193 2466000/3094000',
      'even 8000 1398000/2686000',
      'odd 7500 1288000/2602000',
    ],
  },
  'python-3.8': {
    calls: 207_989,
    rows: [
      'main 1 2253204/58693175',
      'deepcopy 16383 15018589/33371307',
      '_deepcopy_list 4095 4053814/33361493',
      '_deepcopy_dict 4096 5134916/13328093',
      'fib 57313 9504925/9504925',
      '_keep_alive 8191 2567240/3967885',
      'iterencode 1 2795740/2795740',
      'even 8000 1198159/2495088',
      'raw_decode 1 2460113/2460113',
    ],
  },
  'python-3.11': {
    calls: 207_989,
    rows: [
      'main 1 1331602/87212016',
      'deepcopy 16383 20900050/43896843',
      '_deepcopy_list 4095 5158383/43873109',
      '_deepcopy_dict 4096 5485176/19254626',
      'fib 57313 19072162/19072162',
      'iterencode 1 5285948/5285948',
      'even 8000 2610582/5163348',
      '_keep_alive 8191 3781391/5125589',
      'odd 7500 2552766/4969707',
      'tree 8191 3716964/3716964',
    ],
  },
  'python-3.13': {
    calls: 207_987,
    rows: [
      'main 1 1238325/58187686',
      'deepcopy 16383 13079626/33249607',
      '_deepcopy_list 4095 4171240/33237269',
      '_deepcopy_dict 4096 3835715/13657554',
      'fib 57313 10999098/10999098',
      '_keep_alive 8191 2661349/4269662',
      'even 8000 1182252/2370699',
      'odd 7500 1188447/2277830',
      'tree 8191 1798664/1798664',
      'raw_decode 1 1768369/1768369',
    ],
  },
}

test.each(Object.entries(said))('%s has what pstats says of it', (name, { calls, rows }) => {
  const profile = readProfile(sample(`pstats/${name}.pstats`))
  expect(profile.sampleCount).toBe(calls)
  expect(profile.warnings).toEqual([])
  expect(drawCalledFunctions(profile, Infinity)).toEqual(expect.arrayContaining(rows))
})
