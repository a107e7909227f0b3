import { expect, test } from 'vitest'
import { pythonText } from './python-text.ts'

test.each([
  [String.raw`"a\"b\n"`, 'a"b\n'],
  [String.raw`'it\'s'`, "it's"],
  [String.raw`r"\d+"`, String.raw`\d+`],
  [String.raw`"\d \q"`, String.raw`\d \q`],
  [String.raw`"\x41é\U0001F600\101"`, 'Aé😀A'],
  [String.raw`"\U00FFFFFF"`, String.raw`\U00FFFFFF`],
  ['"""a\n"b" c"""', 'a\n"b" c'],
  ['"a\\\nb"', 'ab'],
  ["b'x'", 'x'],
])('%s means what Python means by it', (literal, text) => {
  expect(pythonText(literal)).toBe(text)
})
