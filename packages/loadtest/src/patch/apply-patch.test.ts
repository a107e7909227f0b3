import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointerOf } from '../json/json-pointer.ts'
import { arbitraryVirtualUser } from '../testing/arbitrary-virtual-user.ts'
import {
  applyPatch,
  inversePatch,
  parsePatch,
  patchOperation,
  PatchError,
  type PatchOperation,
} from './apply-patch.ts'
import { DocumentError, parseDocument } from './parse-document.ts'

const document = { name: 'Buyer', tags: ['a', 'b', 'c'], cookies: { keep: true } }

const patched = (...patch: PatchOperation[]) => applyPatch(document, patch).document

describe('applyPatch()', () => {
  test('does all kinds of operations, and leaves the document as it was', () => {
    const before = structuredClone(document)
    expect(patched({ op: 'add', path: '/tags/1', value: 'x' })).toMatchObject({ tags: ['a', 'x', 'b', 'c'] })
    expect(patched({ op: 'add', path: '/tags/-', value: 'x' })).toMatchObject({ tags: ['a', 'b', 'c', 'x'] })
    expect(patched({ op: 'remove', path: '/cookies/keep' })).toMatchObject({ cookies: {} })
    expect(patched({ op: 'replace', path: '/name', value: 1 })).toMatchObject({ name: 1 })
    expect(patched({ op: 'move', from: '/tags/0', path: '/tags/2' })).toMatchObject({ tags: ['b', 'c', 'a'] })
    expect(patched({ op: 'move', from: '/tags/0', path: '/tags/-' })).toMatchObject({ tags: ['b', 'c', 'a'] })
    expect(patched({ op: 'copy', from: '/tags', path: '/cookies/x' })).toMatchObject({
      cookies: { x: ['a', 'b', 'c'] },
    })
    expect(patched({ op: 'test', path: '/cookies', value: { keep: true } })).toEqual(document)
    expect(patched({ op: 'replace', path: '', value: {} })).toEqual({})
    expect(document).toEqual(before)
  })

  test.each<[string, PatchOperation, string]>([
    ['a place that is not there', { op: 'remove', path: '/tags/3' }, 'There is nothing at /tags/3'],
    ['a parent that is not there', { op: 'add', path: '/a/b', value: 1 }, 'leads nowhere'],
    ['an index that is none', { op: 'add', path: '/tags/01', value: 1 }, 'leads nowhere'],
    ['an index past the end', { op: 'add', path: '/tags/4', value: 1 }, 'leads nowhere'],
    ['a field of a list', { op: 'replace', path: '/tags/length', value: 0 }, 'leads nowhere'],
    ['what is past the end after a move', { op: 'move', from: '/tags/0', path: '/tags/3' }, 'leads nowhere'],
    ['a copy of nothing', { op: 'copy', from: '/nothing', path: '/name' }, 'nothing at /nothing'],
    ['a move into itself', { op: 'move', from: '/cookies', path: '/cookies/a' }, 'into itself'],
    ['the whole document away', { op: 'remove', path: '' }, 'cannot be removed'],
    ['a test that fails', { op: 'test', path: '/name', value: 'Seller' }, 'another value'],
    ['no pointer', { op: 'add', path: 'name', value: 1 }, 'no JSON pointer'],
    ['a wrong escape', { op: 'add', path: '/~2', value: 1 }, 'no JSON pointer'],
    ['the prototype', { op: 'add', path: '/__proto__/polluted', value: 1 }, 'leads nowhere'],
    [
      'the prototype, another way',
      { op: 'add', path: '/constructor/prototype/polluted', value: 1 },
      'nowhere',
    ],
    ['what objects inherit', { op: 'copy', from: '/toString', path: '/name' }, 'nothing at /toString'],
  ])('refuses %s, and names the operation', (_what, operation, reason) => {
    const patch: PatchOperation[] = [{ op: 'test', path: '/name', value: 'Buyer' }, operation]
    const failed = () => applyPatch(document, patch)
    expect(failed).toThrow(PatchError)
    expect(failed).toThrow(
      `Operation 1 (${operation.op} ${operation.path === '' ? 'the whole document' : operation.path}): `,
    )
    expect(failed).toThrow(reason)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('refuses a document that doubles itself again and again', () => {
    const start = { list: ['x'.repeat(1000)] }
    const doubling = Array.from({ length: 100 }, (): PatchOperation => ({
      op: 'copy',
      from: '/list',
      path: '/list/-',
    }))
    expect(() => applyPatch(start, doubling)).toThrow('too large')
  })

  test('refuses more operations than a patch may have', () => {
    const patch = Array.from({ length: 1001 }, (): PatchOperation => ({
      op: 'test',
      path: '/name',
      value: 'Buyer',
    }))
    expect(() => applyPatch(document, patch)).toThrow('1000 operations at most')
  })

  test('tests large lists in a time that grows with them', () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ index }))
    const other = list.with(99_999, { index: -1 })
    expect(() => applyPatch({ list }, [{ op: 'test', path: '/list', value: other }])).toThrow('another value')
  })
})

describe('parsePatch()', () => {
  const deep = {
    op: 'add',
    path: '/a',
    value: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown,
  }

  test.each([
    ['an unknown operation', { op: 'merge', path: '/a' }, 'op: '],
    ['no path', { op: 'remove' }, 'path: '],
    ['no value', { op: 'add', path: '/a' }, 'value: '],
    ['a value without end', deep, 'nested too deeply'],
  ])('refuses %s, and says which operation it is', (_what, operation, reason) => {
    const read = () => parsePatch([{ op: 'remove', path: '/b' }, operation])
    expect(read).toThrow(PatchError)
    expect(read).toThrow('Operation 1 ')
    expect(read).toThrow(reason)
  })
})

/** Pointers to everything in a value. */
function pointersOf(value: unknown, names: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [pointerOf(names)]
  return [
    pointerOf(names),
    ...Object.entries(value).flatMap(([name, part]) => pointersOf(part, [...names, name])),
  ]
}

const anyValue = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.constant({ a: [1] }),
  fc.constant([]),
)

/** Operations of any kind that can be done one after the other, and after which the document is what it has to be. */
function drawPatch(
  start: unknown,
  gen: fc.GeneratorValue,
  mayBe: (document: unknown) => boolean,
): PatchOperation[] {
  const patch: PatchOperation[] = []
  let current = start
  for (let tries = gen(fc.integer, { min: 1, max: 8 }); tries > 0; tries--) {
    const places = pointersOf(current)
    const op = gen(fc.constantFrom, 'add', 'remove', 'replace', 'move', 'copy')
    const path = gen(fc.constantFrom, ...places)
    const from = gen(fc.constantFrom, ...places)
    const operation = patchOperation.parse({ op, path, from, value: gen(() => anyValue) })
    const after = afterPatch(current, operation)
    if (after !== undefined && mayBe(after)) {
      current = after
      patch.push(operation)
    }
  }
  return patch
}

function afterPatch(before: unknown, operation: PatchOperation): unknown {
  try {
    return applyPatch(before, [operation]).document
  } catch (error) {
    if (error instanceof PatchError) return undefined
    throw error
  }
}

function isValid(value: unknown): boolean {
  try {
    parseDocument('virtual_user', value)
    return true
  } catch (error) {
    if (error instanceof DocumentError) return false
    throw error
  }
}

test('any virtual user survives a patch and its inverse', () => {
  fc.assert(
    fc.property(arbitraryVirtualUser, fc.gen(), (user, gen) => {
      const patch = drawPatch(user, gen, () => true)
      const { document: after, inverse } = applyPatch(user, patch)
      expect(inverse).toEqual(inversePatch(user, patch))
      expect(applyPatch(after, inverse).document).toEqual(user)
    }),
    { numRuns: 50 },
  )
})

test('a patch that leaves it valid is undone as well when the defaults were filled in after it', () => {
  fc.assert(
    fc.property(arbitraryVirtualUser, fc.gen(), (user, gen) => {
      const { document: after, inverse } = applyPatch(user, drawPatch(user, gen, isValid))
      const stored = parseDocument('virtual_user', after)
      expect(parseDocument('virtual_user', applyPatch(stored, inverse).document)).toEqual(user)
    }),
    { numRuns: 30 },
  )
})

test('a patch that moves a large part to and fro is refused before it holds up everybody', () => {
  const large = { here: { text: 'x'.repeat(2_000_000) } }
  const toAndFro = Array.from({ length: 500 }, () => [
    { op: 'move' as const, from: '/here', path: '/there' },
    { op: 'move' as const, from: '/there', path: '/here' },
  ]).flat()
  expect(() => applyPatch(large, toAndFro)).toThrow('moves too much')
  expect(() => applyPatch(large, toAndFro.slice(0, 10))).not.toThrow()
})
