import { expect, test } from 'vitest'
import { chosenState, isPossible, possibleActions } from './alert.ts'

test('possibleActions() offers what changes any of the alerts', () => {
  expect(possibleActions(['open'])).toEqual(['acknowledge', 'mute', 'resolve'])
  expect(possibleActions(['acknowledged'])).toEqual(['mute', 'resolve', 'reopen'])
  expect(possibleActions(['resolved'])).toEqual(['reopen'])
  expect(possibleActions(['open', 'resolved'])).toEqual(['acknowledge', 'mute', 'resolve', 'reopen'])
  expect(possibleActions([])).toEqual([])
})

test('isPossible() leaves alone what is so already', () => {
  expect(isPossible('reopen', { state: 'open' })).toBe(false)
  expect(isPossible('acknowledge', { state: 'muted' })).toBe(true)
})

test('chosenState() shows open alerts unless the address says otherwise', () => {
  expect([undefined, 'nonsense', 'muted', 'all'].map(chosenState)).toEqual(['open', 'open', 'muted', 'all'])
})
