import { expect, test } from 'vitest'
import { readCondition } from './condition.ts'

const drawn = (text: string) => {
  const condition = readCondition(text)
  return condition?.comparisons
    .map(({ left, operator, right }) => `${left} ${operator} ${right}`.trim())
    .join(` ${condition.combine} `)
}

test.each([
  ['${a} === "b && c"', '${a} equals b && c'],
  ["'${a}' != ${b}", '${a} not_equals ${b}'],
  ['${a} >= 3 && ${a} < 5.5 && true', '${a} greater_or_equal 3 all ${a} less 5.5 all true equals true'],
  ['${a} || !${b}', '${a} not_empty any ${b} empty'],
])('%s is read', (text, condition) => {
  expect(drawn(text)).toBe(condition)
})

test.each([
  '',
  'a',
  '${a} && ${b} || ${c}',
  '${a}.length > 3',
  '${a} =< 3',
  '("${a}" == "b")',
  '"a',
  'true;alert(1)',
])('%s is not', (text) => {
  expect(readCondition(text)).toBeUndefined()
})
