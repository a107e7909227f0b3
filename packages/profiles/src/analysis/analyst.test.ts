import { expect, test } from 'vitest'
import { encodeProfile } from '../encoding.ts'
import { profileOf } from '../testing/stacks.ts'
import { Analyst, type Question } from './analyst.ts'
import { bytesOf } from './bytes-of.ts'

const profile = profileOf('main;parse 3\nmain;render 4\n')
const bytes = encodeProfile(profile)
const asking = (...ids: string[]): Question<'comparison'> => ({
  name: 'comparison',
  subjects: ids.map((id) => ({ id })),
  params: { baseCount: 1, limit: 5 },
})
const given = (...ids: string[]) => ids.map((id) => ({ id, part: 'tree' as const, bytes }))
const missing = (analyst: Analyst, ...ids: string[]) => analyst.missing(asking(...ids)).map(({ id }) => id)

test('what was used least goes first when there is no room', () => {
  // A tree is kept with what questions work out of it.
  const analyst = new Analyst(2 * 2.5 * bytesOf(profile))
  analyst.answer(asking('a', 'b'), given('a', 'b'))
  analyst.answer(asking('a', 'a'), [])
  analyst.answer(asking('c', 'a'), given('c'))
  expect(missing(analyst, 'a', 'b', 'c')).toEqual(['b'])
})

test('the last one stays however large it is, and a question has all of its profiles at once', () => {
  const analyst = new Analyst(1)
  const { baseTotal, headTotal } = analyst.answer(asking('a', 'b'), given('a', 'b'))
  expect([baseTotal, headTotal]).toEqual([7, 7])
  expect(missing(analyst, 'a', 'b')).toEqual(['a'])
})

test('with a filter, a question needs the detail; that there is none is known for the next one', () => {
  const analyst = new Analyst(1e6)
  const question: Question<'summary'> = {
    name: 'summary',
    subjects: [{ id: 'a', filter: { fromMs: 0 } }],
    params: {},
  }
  expect(analyst.missing(question).map(({ part }) => part)).toEqual(['tree', 'detail'])
  const none = { id: 'a', part: 'detail', bytes: undefined } as const
  expect(() => analyst.answer(question, [...given('a'), none])).toThrow('its samples have no times')
  expect(analyst.missing(question)).toEqual([])
})

test('a question is not answered without what it needs', () => {
  const analyst = new Analyst(1e6)
  expect(() => analyst.answer(asking('a', 'b'), given('a'))).toThrow(new TypeError('tree of b was not given'))
})
