import type { Principal } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { callerBuckets } from './call-limits.ts'

const ada: Principal = {
  userId: 'usr_ada',
  via: 'session',
  clientId: 'web',
  clientName: 'Flamegate web',
  scopes: ['read'],
}

test('a call counts against the person, their client and the tool', () => {
  expect(callerBuckets(ada, 'list_runs', 1).map(({ key }) => key)).toEqual([
    'user:usr_ada',
    'client:usr_ada:web',
    'tool:usr_ada:list_runs',
  ])
})

test('who pushes live metrics uses up nothing of the person and the workspace', () => {
  expect(callerBuckets(ada, 'push_live', 1).map(({ key }) => key)).toEqual(['live-pushes:usr_ada:web'])
})

test('who follows a public link uses up nothing of the person whose link it is', () => {
  const stranger: Principal = { ...ada, via: 'share_link', clientId: 'shl_01' }
  expect(callerBuckets(stranger, 'get_profile', 1).map(({ key }) => key)).toEqual(['client:usr_ada:shl_01'])
})
