import { securityActions } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { actionWords, outcomeWords } from './words.ts'

test('every action has words of its own, and what is none goes by its name', () => {
  expect(new Set(securityActions.map(actionWords)).size).toBe(securityActions.length)
  expect(actionWords('revoke_connected_app')).toBe('revoke_connected_app')
})

test('only what went wrong has an outcome to show', () => {
  expect([outcomeWords('ok'), outcomeWords('wrong_password')]).toEqual([undefined, 'wrong password'])
})
