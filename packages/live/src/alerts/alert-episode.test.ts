import { expect, test } from 'vitest'
import { nextStreak, type AlertStreak } from './alert-episode.ts'

/** Values one after the other, each of ten seconds, and what came of each. */
function judged(values: readonly (number | null)[], forSeconds: number): string {
  let streak: AlertStreak | undefined
  let isAlerting = false
  return values
    .map((value, index) => {
      const to = new Date((index + 1) * 10_000)
      const time = { from: new Date(to.getTime() - 10_000), to }
      const next = nextStreak(streak, { value, limit: 100, ...time }, { forSeconds, isAlerting })
      streak = next.streak
      isAlerting = next.event === undefined ? isAlerting : next.event === 'opens'
      return next.event ?? '-'
    })
    .join(' ')
}

test.each([
  ['a value has to be beyond the limit for as long as is asked', [150, 150, 150, 150], 30, '- - opens -'],
  ['one that comes back in between begins anew', [150, 150, 50, 150, 150, 150], 30, '- - - - - opens'],
  ['at the limit is not beyond it', [100, 100, 100, 100], 10, '- - - -'],
  ['without a time the first one opens', [150], 0, 'opens'],
  ['it ends after as long well below', [150, 150, 150, 10, 10, 10], 30, '- - opens - - closes'],
  ['it never ends sooner than after half a minute', [150, 10, 10, 10], 0, 'opens - - closes'],
  ['what is only just below ends nothing', [150, 95, 95, 95, 95], 0, 'opens - - - -'],
  ['nor does what goes up and down', [150, 50, 150, 50, 150, 50], 0, 'opens - - - - -'],
  ['where nothing is called nothing is slow', [150, null, null, null], 0, 'opens - - closes'],
])('%s', (_promise, values, forSeconds, expected) => {
  expect(judged(values, forSeconds)).toBe(expected)
})

const at = (fromMs: number, toMs: number, value = 150) => ({
  value,
  limit: 100,
  from: new Date(fromMs),
  to: new Date(toMs),
})
const options = { forSeconds: 30, isAlerting: false }

test('what was told before says nothing again', () => {
  const { streak } = nextStreak(undefined, at(0, 10_000), options)
  expect(nextStreak(streak, at(0, 10_000, 1), options)).toEqual({ streak })
})

test('a break of which nothing is known does not count as lasting', () => {
  const { streak } = nextStreak(undefined, at(0, 10_000), options)
  expect(nextStreak(streak, at(200_000, 210_000), options)).toEqual({
    streak: { side: 'over', sinceMs: 200_000, toMs: 210_000 },
  })
})

test('one that tells every minute is judged by its minutes', () => {
  expect(nextStreak(undefined, at(0, 60_000), options).event).toBe('opens')
})
