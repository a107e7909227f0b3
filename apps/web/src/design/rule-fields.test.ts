import { expect, test } from 'vitest'
import { rulePointer, sourceInput, sourceWords } from './rule-fields.ts'

const regex = { source: { type: 'regex', pattern: '(a)', part: 'url' } }
const between = { source: { type: 'boundaries', left: '<', right: '>' } }

test('sourceInput() is what create_correlation_rule takes', () => {
  expect(sourceInput(regex)).toEqual({ type: 'regex', find: '(a)', part: 'url' })
  expect(sourceInput(between)).toEqual({ type: 'boundaries', left: '<', right: '>' })
  expect(sourceInput({ source: { type: 'cookie', name: 'sid' } })).toEqual({ type: 'cookie', find: 'sid' })
})

test('rulePointer() finds the place of a field that was refused', () => {
  expect(rulePointer('find', regex)).toBe('/source/pattern')
  expect(rulePointer('left', between)).toBe('/source/left')
  expect(rulePointer('target_name', regex)).toBe('/target_name')
})

test('sourceWords() tells a rule in a line', () => {
  expect(sourceWords(regex.source)).toBe('regex (a)')
  expect(sourceWords(between.source)).toBe('boundaries < … >')
})
