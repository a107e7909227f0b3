import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawCalledFunctions } from '../testing/draw-functions.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

/** What `pstats` says (Python 3.11: `pstats.Stats(path).stats`): name, all calls, tottime and cumtime in nanoseconds. */
const expected: Record<string, { calls: number; functions: string[] }> = {
  'pstats/cpython-3.11.7.pstats': {
    calls: 80_746,
    functions: [
      'fib 21891 7330223/7330223',
      'raw_decode 400 3511319/3511319',
      'decode 400 371573/4102333',
      '_parse 20 237203/532833',
      'loads 400 216066/4389251',
      '_parse_sub 18 72153/595297',
      '_optimize_charset 19 70776/109303',
      'getwidth 41 53894/68182',
      '__getitem__ 178 47515/64892',
      'iterencode 1 46810/46810',
    ],
  },
  'pstats/cpython-3.8.18.pstats': {
    calls: 80_665,
    functions: [
      'raw_decode 400 2961789/2961789',
      'fib 21891 2400330/2400330',
      'decode 400 318024/3477665',
      '_parse 20 200828/476179',
      'loads 400 193254/3742894',
      '_optimize_charset 19 66138/105759',
      'getwidth 41 50544/66667',
      '__next 132 50477/50477',
      'iterencode 1 49463/49463',
      '_parse_sub 18 43461/513285',
    ],
  },
}

const paths = fixturePaths('pstats').filter((path) => path.endsWith('.pstats'))

test.runIf(paths.length > 0).each(paths)('%s has what pstats says of it', (path) => {
  const { calls, functions } = expected[path]!
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('pstats')
  expect(profile.sampleCount).toBe(calls)
  expect(profile.warnings).toEqual([])
  expect(drawCalledFunctions(profile, Infinity)).toEqual(expect.arrayContaining(functions))
})

const texts = fixturePaths('pstats').filter((path) => path.endsWith('.txt'))

// As the text says in its first line, and in its rows.
test.runIf(texts.length > 0).each(texts)('%s has the rows of the table', (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('cprofile_text')
  expect(profile.sampleCount).toBe(80_746)
  const rows = drawCalledFunctions(profile, Infinity)
  expect(rows).toContain('fib 21891 4000000/4000000')
  expect(rows).toContain('raw_decode 400 3000000/3000000')
  expect(rows).toContain("{method 'match' of 're.Pattern' objects} 10800 2000000/2000000")
})

test.runIf(paths.length === 0)('FLAMEGATE_FIXTURES names no files of pstats: none were read', () => {
  expect(paths).toEqual([])
})
