import { expect, test } from 'vitest'
import { historyCommand } from './history-keys.ts'

test('plus and minus zoom, also without Shift, Escape shows all and Enter chooses', () => {
  expect(historyCommand('+')).toEqual({ kind: 'zoom', factor: 0.5 })
  expect(historyCommand('=')).toEqual(historyCommand('+'))
  expect(historyCommand('-')).toEqual({ kind: 'zoom', factor: 2 })
  expect(historyCommand('Escape')).toEqual({ kind: 'show-all' })
  expect(historyCommand('Enter')).toEqual({ kind: 'choose' })
})

test('other keys are left to the slider and the page', () => {
  expect(['ArrowLeft', 'Home', 'Tab', '/', 'toString'].map(historyCommand)).toEqual(Array(5).fill(undefined))
})
