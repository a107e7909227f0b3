import { expect, test } from 'vitest'
import { actionKinds, virtualUserFields } from './action-fields.ts'
import { type Field, type Shape } from '../documents/field.ts'
import { isObject } from '../documents/json.ts'

/** Every shape that forms can show, with the fields of each kind. */
function shapesOf(fields: readonly Field[], seen = new Set<Shape>()): Set<Shape> {
  for (const field of fields) {
    if (field.kind !== 'object' && field.kind !== 'list') continue
    const shape = typeof field.shape === 'function' ? field.shape() : field.shape
    if (seen.has(shape)) continue
    seen.add(shape)
    for (const variant of Object.values(shape.variants)) shapesOf(variant.fields, seen)
  }
  return seen
}

test.each(Object.entries(actionKinds))(
  'a new %s has a value for each of its fields',
  (_kind, { fields, start }) => {
    for (const { name } of fields) expect(Object.keys(start)).toContain(name)
  },
)

test('what can be added inside an action has a value for each of its fields', () => {
  const all = [...Object.values(actionKinds).flatMap(({ fields }) => fields), ...virtualUserFields]
  const shapes = [...shapesOf(all)]
  expect(shapes.length).toBeGreaterThan(10)
  for (const variant of shapes.flatMap(({ variants }) => Object.values(variants))) {
    if (!isObject(variant.start) || Object.keys(variant.start).length === 0) continue
    for (const { name } of variant.fields) expect(Object.keys(variant.start)).toContain(name)
  }
})
