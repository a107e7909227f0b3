import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { templateParts } from './template-parts.ts'
import { literal } from './template.ts'
import { literalStretches, variablesOf } from './template-text.ts'

test('the text of a template is told with its places', () => {
  expect(literalStretches('/orders/${order_id}?a=$${b}')).toEqual([
    { text: '/orders/', start: 0 },
    { text: '?a=$${b}', start: 19 },
  ])
})

test('variables are named once, without index and length', () => {
  expect(variablesOf('${ids[2]} ${ids.length} ${ids} $${not} ${user.name} ${open')).toEqual([
    'ids',
    'user.name',
  ])
})

test('any text can be made one that stands for itself', () => {
  const texts = fc.array(fc.constantFrom('$', '{', '}', 'a', '[', ']', '.')).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      // A dollar right before a template's own escape would be read with it.
      fc.pre(!text.includes('$${'))
      expect(templateParts(literal(text))).toEqual(text === '' ? [] : [text])
      expect(
        literalStretches(literal(text))
          .map((stretch) => stretch.text)
          .join(''),
      ).toBe(literal(text))
    }),
  )
})
