import vm from 'node:vm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertScript, formsOf, receivedEncodings, sentEncodings } from './encodings.ts'

/** Runs the source as the sandbox does, with nothing but variables. */
function run(source: string, value: string): unknown {
  const values = new Map<string, unknown>([['raw', value]])
  const vars = {
    get: (name: string) => values.get(name),
    set: (name: string, text: unknown) => values.set(name, text),
  }
  vm.runInNewContext(source, { vars })
  return values.get('done')
}

const texts = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }))

test.each(sentEncodings)('the script for %s writes what is looked for in requests', (encoding) => {
  fc.assert(
    fc.property(texts, (value) => {
      const form = formsOf(value, [encoding]).at(-1)
      expect(run(convertScript('raw', 'done', encoding, 'encode'), value)).toBe(form?.text)
    }),
    { numRuns: 60 },
  )
})

test.each(receivedEncodings)('the script for %s reads what is looked for in responses', (encoding) => {
  fc.assert(
    fc.property(texts, (value) => {
      const form = formsOf(value, [encoding]).at(-1)?.text ?? ''
      fc.pre(encoding !== 'url' || form !== value)
      // What looks like an escape already is not ours to tell apart.
      fc.pre(form !== value || !/[&%\\"]/.test(value))
      expect(run(convertScript('raw', 'done', encoding, 'decode'), form)).toBe(value)
    }),
    { numRuns: 60 },
  )
})

test('a value that needs no encoding has one form, and its base64', () => {
  expect(formsOf('abc123', sentEncodings)).toEqual([
    { text: 'abc123', encoding: null },
    { text: 'YWJjMTIz', encoding: 'base64' },
  ])
})
