import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import type { Profile } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { profileOf } from '../testing/stacks.ts'
import { writePprof } from '../testing/write-pprof.ts'
import { CannotCompareError } from './cannot-compare-error.ts'
import { compareProfiles, type CompareProfilesOptions } from './compare-profiles.ts'
import { differentialFlameGraph, toDifferentialD3 } from './differential-flame-graph.ts'

const base = profileOf('main;parse 30\nmain;render 60\nmain 10')
const head = profileOf('main;parse 30\nmain;match 110\nmain;render 60')

/** `name self before → after, total before → after, state`. */
function drawFunctions(...sides: [typeof base, typeof base, CompareProfilesOptions]): string[] {
  return compareProfiles(...sides).functions.map(
    (each) =>
      `${each.functionName} self ${each.baseSelf} → ${each.headSelf}, ` +
      `total ${each.baseTotal} → ${each.headTotal}, ${each.state}`,
  )
}

test('every function is told with what it had and has, the largest change first', () => {
  expect(drawFunctions(base, head, { limit: 10 })).toEqual([
    'match self 0 → 110, total 0 → 110, added',
    'main self 10 → 0, total 100 → 200, better',
    'parse self 30 → 30, total 30 → 30, same',
    'render self 60 → 60, total 60 → 60, same',
  ])
  expect(drawFunctions(base, head, { limit: 2, sortBy: 'total' })).toEqual([
    'match self 0 → 110, total 0 → 110, added',
    'main self 10 → 0, total 100 → 200, worse',
  ])
  expect(compareProfiles(head, base, { limit: 1 })).toMatchObject({
    functions: [{ functionName: 'match', state: 'removed' }],
    counts: { added: 0, removed: 1, worse: 1, better: 0, same: 2 },
  })
})

test('what is left out is told as one amount', () => {
  const { functions, othersDifference, calls, otherCallsDifference } = compareProfiles(base, head, {
    limit: 1,
  })
  expect(functions).toHaveLength(1)
  expect(othersDifference).toBe(-10)
  expect(calls.map(({ path, selfDifference }) => [path, selfDifference])).toEqual([[['main', 'match'], 110]])
  expect(otherCallsDifference).toBe(-10)
})

test('values of head are scaled to the total of base, to its duration, or by a factor', () => {
  const seconds = (profile: typeof base, count: number) => ({ ...profile, durationMs: count * 1000 })
  const [slow, fast] = [seconds(base, 10), seconds(head, 40)]
  const totals = (by: CompareProfilesOptions['normalization']) => {
    const { baseTotal, headTotal, factors } = compareProfiles(slow, fast, { limit: 1, normalization: by! })
    return [baseTotal, headTotal, factors.head]
  }
  expect(totals({ by: 'none' })).toEqual([100, 200, 1])
  expect(totals({ by: 'total' })).toEqual([100, 100, 0.5])
  expect(totals({ by: 'duration' })).toEqual([100, 50, 0.25])
  expect(totals({ by: 'factor', factor: 3 })).toEqual([100, 600, 3])
  expect(() => compareProfiles(base, head, { limit: 1, normalization: { by: 'duration' } })).toThrow(
    new CannotCompareError('not both profiles have a duration'),
  )
})

test('a measured value is divided among the functions, and waiting takes no share', () => {
  const waiting = profileOf('main;parse 30\nmain;match 110\nmain;render 60\n(idle) 900')
  const { unit, change, functions } = measured(base, 1000, waiting, 2000)
  expect(unit).toBe('ns')
  expect(change).toBe(1000)
  expect(functions.map(({ functionName, selfDifference }) => [functionName, selfDifference])).toEqual([
    ['match', 1100],
    ['main', -100],
    ['parse', 0],
    ['render', 0],
  ])
})

test('the amounts add up to the change, whatever the profiles', () => {
  const stacks = fc
    .array(fc.tuple(fc.constantFrom('a', 'a;b', 'a;b;c', 'd', 'd;a'), fc.integer({ min: 1, max: 1000 })), {
      minLength: 1,
    })
    .map((lines) => profileOf(lines.map(([stack, count]) => `${stack} ${count}`).join('\n')))
  const value = fc.double({ min: 0.001, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(
      stacks,
      value,
      stacks,
      value,
      fc.integer({ min: 0, max: 6 }),
      (one, before, other, after, limit) => {
        const { change, functions, calls, othersDifference, otherCallsDifference } = measured(
          one,
          before,
          other,
          after,
          limit,
        )
        for (const sum of [
          functions.reduce((all, { selfDifference }) => all + selfDifference, othersDifference),
          calls.reduce((all, { selfDifference }) => all + selfDifference, otherCallsDifference),
        ]) {
          expect(Math.abs(sum - (after - before))).toBeLessThanOrEqual(1e-9 * Math.max(before, after))
        }
        expect(Math.abs(change - (after - before))).toBeLessThanOrEqual(1e-9 * Math.max(before, after))
      },
    ),
  )
})

test('a difference is sure when two samplings of one program would not differ as much', () => {
  const { functions } = compareProfiles(
    profileOf('main;few 9\nmain;many 400'),
    profileOf('main;few 16\nmain;many 600'),
    {
      limit: 2,
    },
  )
  expect(functions.map(({ functionName, isSure }) => [functionName, isSure])).toEqual([
    ['many', true],
    ['few', false],
  ])
})

/** 30 seconds at 1 ms, of which V8 was idle in nine tenths. */
const mostlyIdle = (busy: number) =>
  readProfile(
    writePprof({
      sampleTypes: [
        ['samples', 'count'],
        ['wall', 'milliseconds'],
        ['cpu', 'milliseconds'],
      ],
      samples: [
        { ids: [1], values: [27_000, 27_000, 0] },
        { ids: [2], values: [busy, busy, busy] },
        { ids: [3], values: [3000 - busy, 3000 - busy, 3000 - busy] },
      ],
      locations: ['(idle)', 'parse', 'serve'].map((name, index) => ({ id: index + 1, functions: [name] })),
    }),
  )

const isParseSure = (before: number, after: number, options: Partial<CompareProfilesOptions>) =>
  compareProfiles(mostlyIdle(before), mostlyIdle(after), { limit: 3, ...options }).functions.find(
    ({ functionName }) => functionName === 'parse',
  )?.isSure

test('samples without a value of the compared type make the others weigh no less', () => {
  const shares = { sampleType: 'wall', normalization: { by: 'total' } } as const
  for (const options of [{ sampleType: 'cpu' }, shares]) {
    expect(isParseSure(100, 135, options)).toBe(false)
    expect(isParseSure(100, 160, options)).toBe(true)
  }
})

const at = (place: string) =>
  readProfile(
    writePprof({ samples: [{ ids: [1], values: [5] }], locations: [{ id: 1, functions: [place] }] }),
  )

test('functions are the same when the folder or the line is another', () => {
  const { functions } = compareProfiles(at('run@/old/src/a.go'), at('run@/new/src/a.go'), { limit: 5 })
  expect(functions).toMatchObject([{ functionName: 'run', file: '/new/src/a.go', state: 'same' }])
})

/** Milliseconds by function, as `name@file:line`; all are called by `main`. */
function functionsWith(values: Record<string, number>): Profile {
  const builder = new ProfileBuilder({
    format: 'cpuprofile',
    sampleTypes: [{ type: 'wall', unit: 'milliseconds' }],
  })
  const main = builder.child(0, builder.functions.intern('main', '/app/main.js', 1))
  for (const [place, value] of Object.entries(values)) {
    const [, name = '', file, line] = /^(.*)@(.*):(\d+)$/.exec(place)!
    builder.add(builder.child(main, builder.functions.intern(name, file, Number(line))), [value])
  }
  return builder.finish({ warnings: [] })
}

/** `name@file:line before → after`, without `main`. */
function drawPlaces(...sides: [Record<string, number>, Record<string, number>]): string[] {
  const [one, other] = sides.map(functionsWith)
  return compareProfiles(one!, other!, { limit: 10 })
    .functions.filter(({ functionName }) => functionName !== 'main')
    .map((row) => `${row.functionName}@${row.file}:${row.line} ${row.baseSelf} → ${row.headSelf}`)
}

test('functions of one name in files of one name do not cancel each other out', () => {
  const [users, orders] = ['handler@/app/routes/users/index.js:3', 'handler@/app/routes/orders/index.js:3']
  expect(drawPlaces({ [users]: 100, [orders]: 300 }, { [users]: 300, [orders]: 100 })).toEqual([
    `${users} 100 → 300`,
    `${orders} 300 → 100`,
  ])
  const [gone, added] = ['handler@/app/routes/bills/index.js:3', 'handler@/app/routes/items/index.js:3']
  expect(drawPlaces({ [users]: 10, [gone]: 200 }, { [users]: 10, [added]: 100 })).toEqual([
    `${gone} 200 → 0`,
    `${added} 0 → 100`,
    `${users} 10 → 10`,
  ])
})

test('nor do functions without a name in one file, when code above them changes', () => {
  const before = { '(anonymous)@/old/app/index.js:10': 100, '(anonymous)@/old/app/index.js:20': 300 }
  const after = { '(anonymous)@/new/app/index.js:12': 300, '(anonymous)@/new/app/index.js:25': 100 }
  expect(drawPlaces(before, after)).toEqual([
    '(anonymous)@/new/app/index.js:12 100 → 300',
    '(anonymous)@/new/app/index.js:25 300 → 100',
  ])
})

const cpu = (unit: string, value: number) =>
  readProfile(
    writePprof({
      sampleTypes: [['cpu', unit]],
      samples: [{ ids: [1], values: [value] }],
      locations: [{ id: 1, functions: ['main'] }],
    }),
  )

test('units are converted, and what has nothing in common is refused', () => {
  expect(compareProfiles(cpu('milliseconds', 3), cpu('nanoseconds', 4e6), { limit: 1 })).toMatchObject({
    unit: 'nanoseconds',
    baseTotal: 3e6,
    headTotal: 4e6,
  })
  expect(() => compareProfiles(cpu('bytes', 3), cpu('nanoseconds', 4), { limit: 1 })).toThrow(
    new CannotCompareError('base has cpu in bytes, and head in nanoseconds'),
  )
  expect(() => compareProfiles(base, cpu('nanoseconds', 4), { limit: 1 })).toThrow(
    'not both profiles have the sample type cpu: base has samples, and head cpu',
  )
})

test('the flame graph has both sides of every node, the largest of either side', () => {
  const { tree } = compareProfiles(base, head, { limit: 1 })
  const whole = differentialFlameGraph(tree, 100)
  const draw = ({ functions, nodes }: typeof whole) =>
    nodes.function.map(
      (index, node) =>
        `${functions[index]?.name ?? 'all'} ${nodes.baseTotal[node]} → ${nodes.headTotal[node]}`,
    )
  expect(draw(whole)).toEqual([
    'all 100 → 200',
    'main 100 → 200',
    'parse 30 → 30',
    'render 60 → 60',
    'match 0 → 110',
  ])
  const small = differentialFlameGraph(tree, 4)
  expect(draw(small)).toEqual(['all 100 → 200', 'main 100 → 200', 'render 60 → 60', 'match 0 → 110'])
  expect(small.omittedNodes).toBe(1)
  expect(toDifferentialD3(small)).toEqual({
    name: 'root',
    value: 200,
    delta: 100,
    children: [
      {
        name: 'main',
        value: 200,
        delta: 100,
        selfValue: 0,
        selfDelta: -10,
        children: [
          { name: 'render', value: 60, delta: 0, selfValue: 60, selfDelta: 0, children: [] },
          { name: 'match', value: 110, delta: 110, selfValue: 110, selfDelta: 110, children: [] },
        ],
      },
    ],
  })
})

function measured(one: typeof base, before: number, other: typeof base, after: number, limit = 10) {
  const comparison = compareProfiles(one, other, {
    limit,
    normalization: { by: 'values', base: before, head: after, unit: 'ns' },
  })
  return { ...comparison, change: comparison.headTotal - comparison.baseTotal }
}
