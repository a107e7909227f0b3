import { expect, test } from 'vitest'
import { printJson } from './print-json.ts'

const value = { name: 'a "b"', list: [1, { deep: null }, []], empty: {}, gone: undefined }

test('JSON is written as JSON.stringify writes it', () => {
  expect(printJson(value).text).toBe(JSON.stringify(value, null, 2))
})

test('every place is told with its line', () => {
  const { text, lineOf } = printJson(value)
  const line = (pointer: string) => text.split('\n')[lineOf.get(pointer) ?? -1]?.trim()
  expect(line('')).toBe('{')
  expect(line('/name')).toBe('"name": "a \\"b\\"",')
  expect(line('/list/0')).toBe('1,')
  expect(line('/list/1/deep')).toBe('"deep": null')
  expect(line('/empty')).toBe('"empty": {}')
})
