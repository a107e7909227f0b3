import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { limitInWords, limitsOfTyped, planFields, typedLimit } from './plan-fields.ts'

const plan = operations.listPlans.examples[0]?.output.plans[0]
if (plan === undefined) throw new Error('no plan')
const before = { ...plan.limits, result_bytes: 100_001, load_users: null }

/** What is in the form when these fields were changed. */
function typing(changed: Record<string, string>) {
  const start = Object.fromEntries(planFields.map((field) => [field.name, typedLimit(field, before)]))
  return limitsOfTyped(before, (name) => ({ ...start, ...changed })[name] ?? '')
}

test('what was not changed stays exactly as it was, also what is shown rounded', () => {
  expect(typing({})).toEqual(before)
})

test('every limit has a field', () => {
  const { retention_days: days, features_off: _off, ...limits } = before
  expect(planFields.map(({ name }) => name).toSorted()).toEqual(
    [
      ...Object.keys(limits).map((name) => `limits.${name}`),
      ...Object.keys(days).map((name) => `limits.retention_days.${name}`),
    ].toSorted(),
  )
})

test('is typed in its unit; empty is no limit, and what is no number is for the server to refuse', () => {
  expect(
    typing({
      'limits.storage_bytes': '1.5',
      'limits.load_duration_ms': ' 2 ',
      'limits.uploads_per_day': '',
      'limits.calls_per_minute': 'many',
      'limits.retention_days.runs': '',
    }),
  ).toMatchObject({
    storage_bytes: 1.5 * 2 ** 30,
    load_duration_ms: 7_200_000,
    uploads_per_day: null,
    calls_per_minute: 'many',
    retention_days: { ...before.retention_days, runs: null },
  })
})

const inWords = (name: string) => {
  const field = planFields.find((each) => each.name === name)
  return field && limitInWords(field, before)
}

test('reads in words', () => {
  expect(inWords('limits.load_users')).toBe('no limit')
  expect(inWords('limits.load_duration_ms')).toBe('72 h')
  expect(inWords('limits.storage_bytes')).toBe('500 GiB')
})
