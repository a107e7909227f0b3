import { expect, test } from 'vitest'
import { idsIn, toggledId } from './ids-in-address.ts'

test('ids stand one behind the other, and are put in and taken out', () => {
  expect(idsIn(undefined)).toEqual([])
  expect(idsIn('prf_1,prf_2')).toEqual(['prf_1', 'prf_2'])
  expect(toggledId(undefined, 'prf_1')).toBe('prf_1')
  expect(toggledId('prf_1', 'prf_2')).toBe('prf_1,prf_2')
  expect(toggledId('prf_1,prf_2', 'prf_1')).toBe('prf_2')
})
