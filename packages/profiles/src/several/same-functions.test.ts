import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProfileFormat } from '../profile.ts'
import { sameFunctions } from './same-functions.ts'

interface Place {
  name: string
  file: string
  line: number
}

const profileWith = (places: Place[], format: ProfileFormat = 'cpuprofile') => ({
  format,
  functions: {
    names: places.map(({ name }) => name),
    files: places.map(({ file }) => file),
    startLines: Int32Array.from(places, ({ line }) => line),
  },
})

/** Functions as `name@file:line`. */
const profile = (functions: string[], format?: ProfileFormat) =>
  profileWith(
    functions.map((text) => {
      const [, name = '', file = '', line = 0] = /^(.*)@(.*):(\d+)$/.exec(text)!
      return { name, file, line: Number(line) }
    }),
    format,
  )

/** What each function of the second profile was in the first, or '-'. */
function originsOf(before: string[], after: string[], format?: ProfileFormat): string[] {
  const { functionsOf } = sameFunctions([profile(before, format), profile(after, format)])
  return Array.from(functionsOf[1]!, (place) => before[functionsOf[0]!.indexOf(place)] ?? '-')
}

const handlers = ['handler@/app/users/index.js:3', 'handler@/app/orders/index.js:3']

test('functions of one name in files of one name are told apart by their folders', () => {
  expect(originsOf(handlers, handlers.toReversed())).toEqual(handlers.toReversed())
  expect(originsOf(handlers, handlers.slice(0, 1))).toEqual(handlers.slice(0, 1))
  expect(originsOf(handlers, ['handler@C:\\work\\orders\\index.js:7'])).toEqual([handlers[1]])
})

test('the only one of its name is the same in another folder, unless a profile has both files', () => {
  const other = 'other@/app/orders/index.js:9'
  expect(originsOf(handlers.slice(0, 1), handlers.slice(1))).toEqual(handlers.slice(0, 1))
  expect(originsOf(handlers.slice(0, 1), [...handlers.slice(1), 'list@/app/users/index.js:5'])).toEqual([
    '-',
    '-',
  ])
  expect(originsOf([handlers[0]!, other], [handlers[1]!, other])).toEqual(['-', other])
})

test('functions of one name in one file are told apart by their lines', () => {
  const before = [
    '(anonymous)@/old/dist/app.js:10',
    '(anonymous)@/old/dist/app.js:20',
    'run@/old/dist/app.js:30',
  ]
  const after = [
    'run@/new/dist/app.js:34',
    '(anonymous)@/new/dist/app.js:24',
    '(anonymous)@/new/dist/app.js:10',
  ]
  expect(originsOf(before, after)).toEqual([before[2], before[1], before[0]])
})

test('lines that are not where functions start tell nothing apart', () => {
  const before = ['read@/app/a.py:10', 'read@/app/a.py:12', 'read@/app/b/a.py:10']
  const after = ['read@/app/a.py:11', 'read@/app/b/a.py:9', 'read@/app/a.py:14']
  expect(originsOf(before, after, 'speedscope')).toEqual([before[0], before[2], before[0]])
})

test('of what differs, the last profile has it', () => {
  const { functions } = sameFunctions([
    profile(['f@/old/src/a.js:3', 'g@/old/src/a.js:9']),
    profile(['f@/new/src/a.js:5']),
  ])
  expect(functions).toMatchObject({
    names: ['f', 'g'],
    files: ['/new/src/a.js', '/old/src/a.js'],
    startLines: Int32Array.of(5, 9),
  })
})

test('of one program, what a profile did not meet is no other function', () => {
  const profiles = [handlers[0]!, handlers[1]!, handlers[0]!].map((each) =>
    profile([each, 'main@/app/main.js:1']),
  )
  const { functionsOf } = sameFunctions(profiles, { areOfOneProgram: true })
  expect(functionsOf.map(([handler]) => handler)).toEqual([0, 2, 0])
})

const onMachineOf = (user: string) =>
  profile([`f@/home/${user}/app/a.js:1`, `f@/home/${user}/app/lib/a.js:1`])

test('of one program, machines may have it in different folders', () => {
  const { functions, functionsOf } = sameFunctions(['ann', 'bob', 'ann'].map(onMachineOf), {
    areOfOneProgram: true,
  })
  expect(functions.names).toHaveLength(2)
  expect(functionsOf.map((places) => [...places])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ])
})

const profiles = fc.array(
  fc
    .uniqueArray(
      fc.record({
        name: fc.constantFrom('f', 'g', '(anonymous)'),
        file: fc.stringMatching(/^(\/?[ab]){0,3}\/[ab]$/),
        line: fc.integer({ min: 0, max: 5 }),
      }),
      { selector: ({ name, file, line }) => `${name} ${file} ${line}`, maxLength: 30 },
    )
    .map((places) => profileWith(places)),
  { minLength: 1, maxLength: 4 },
)

test('functions of one profile are never one, and keep their names', () => {
  fc.assert(
    fc.property(profiles, fc.boolean(), (all, areOfOneProgram) => {
      const { functions, functionsOf } = sameFunctions(all, { areOfOneProgram })
      for (const [index, functionOf] of functionsOf.entries()) {
        expect(new Set(functionOf).size).toBe(functionOf.length)
        const names = Array.from(functionOf, (place) => functions.names[place])
        expect(names).toEqual(all[index]!.functions.names)
      }
    }),
  )
})

test('a function is the same in the same profile, whatever was before', () => {
  fc.assert(
    fc.property(profiles, (all) => {
      const { functionsOf } = sameFunctions([...all, all.at(-1)!], { areOfOneProgram: true })
      expect(functionsOf.at(-1)).toEqual(functionsOf.at(-2))
    }),
  )
})
