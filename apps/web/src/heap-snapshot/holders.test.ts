import { expect, test } from 'vitest'
import { type Holder, holderTree, keysOfWay, objectOfKey, type RetainingPath } from './holders.ts'

/** `table@2 cache@3`: two references outwards, `table` of the object 2 and `cache` of the object 3. */
function way(text: string, omittedSteps = 0): RetainingPath {
  const steps = text.split(' ').map((word) => {
    const [name = '', id] = word.split('@')
    return {
      edge_type: 'property',
      edge_name: name,
      object_id: Number(id),
      name: `object ${id}`,
      class_name: 'Object',
      shallow_size: 16,
      retained_size: 100,
    }
  })
  return { steps, omitted_steps: omittedSteps }
}

function drawn(holders: readonly Holder[], indent = ''): string[] {
  return holders.flatMap(({ step, isRoot, holders: inner }) => [
    `${indent}${step.edge_name}@${step.object_id}${isRoot ? ' root' : ''}${inner === undefined ? ' …' : ''}`,
    ...drawn(inner ?? [], `${indent}  `),
  ])
}

const nothing = { pathsOf: new Map(), openKeys: new Set<string>() }

test('what is not open says nothing of what keeps it', () => {
  expect(drawn(holderTree([way('a@2 b@3'), way('c@4')], nothing))).toEqual(['a@2 …', 'c@4 root …'])
})

test('a way is open to its root before anything else of it was asked for', () => {
  const ways = [way('a@2 b@3 c@4'), way('d@5 c@4')]
  const tree = holderTree(ways, { ...nothing, openKeys: new Set(keysOfWay(ways[0]!)) })
  expect(drawn(tree)).toEqual(['a@2', '  b@3', '    c@4 root …', 'd@5 …'])
})

test('what else keeps an open holder stands beside the way that leads through it, once', () => {
  const openKeys = new Set(keysOfWay(way('a@2 b@3')))
  const among = new Map([[2, [way('x@7 y@8'), way('b@3')]]])
  expect(drawn(holderTree([way('a@2 b@3')], { pathsOf: among, openKeys }))).toEqual([
    'a@2',
    '  x@7 …',
    '  b@3 root …',
  ])
  const others = new Map([[2, [way('x@7 y@8')]]])
  expect(drawn(holderTree([way('a@2 b@3')], { pathsOf: others, openKeys }))).toEqual([
    'a@2',
    '  b@3 root …',
    '  x@7 …',
  ])
})

test('what nothing keeps but the engine cannot be opened', () => {
  expect(drawn(holderTree([way('a@2')], { ...nothing, pathsOf: new Map([[2, []]]) }))).toEqual(['a@2 root'])
})

test('a way of which the middle is left out ends where it is left out', () => {
  const long = way('a@2 b@3 v@10 w@11 x@12 y@13 z@14', 40)
  const openKeys = new Set(keysOfWay(long))
  expect(drawn(holderTree([long], { ...nothing, openKeys }))).toEqual(['a@2', '  b@3 …'])
})

test('the object of a key is the one it ends at, whatever its references are called', () => {
  expect(objectOfKey(keysOfWay(way('a@2 b@3'))[0]!)).toBe(2)
  expect(objectOfKey('/property me@home@17')).toBe(17)
})
