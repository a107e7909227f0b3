import type { LimitState } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { rateLimitField, rateLimitPolicyField } from './rate-limit-fields.ts'

const limits: LimitState[] = [
  { name: 'client', quota: 600, windowSeconds: 12, remaining: 9, moreInSeconds: 1, fullInSeconds: 12 },
  {
    name: 'client-concurrency',
    quota: 50,
    windowSeconds: undefined,
    remaining: 49,
    moreInSeconds: 0,
    fullInSeconds: 0,
  },
]

test('the fields are structured lists of limits by name', () => {
  expect(rateLimitPolicyField(limits)).toBe(
    '"client";q=600;w=12, "client-concurrency";q=50;qu="concurrent-requests"',
  )
  expect(rateLimitField(limits)).toBe('"client";r=9;t=1, "client-concurrency";r=49;t=0')
})

test('a limit that was asked twice is named once, as it stood last', () => {
  const [client] = limits
  if (client === undefined) throw new TypeError('There is one')
  expect(rateLimitField([client, { ...client, remaining: 8 }])).toBe('"client";r=8;t=1')
})
