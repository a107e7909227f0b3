import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample, sampleText } from '../testing/samples.ts'

interface Node {
  callFrame: { functionName: string; url: string; lineNumber: number }
  selfSize: number
  children: Node[]
}
const node = (functionName: string, selfSize: number, children: Node[] = []): Node => ({
  callFrame: { functionName, url: '', lineNumber: 0 },
  selfSize,
  children,
})
const read = (head: unknown) => readProfile(new TextEncoder().encode(JSON.stringify({ head })))

test('sizes are bytes in use, at the stack that allocated them', () => {
  const profile = read(
    node('(root)', 8, [node('main', 0, [node('load', 100), node('', 50), node('load', 1)]), node('gc', 2)]),
  )
  expect(profile.sampleTypes).toEqual([{ type: 'inuse_space', unit: 'bytes' }])
  expect(drawTree(profile)).toEqual([
    '(root) 161/8',
    'main 151/0',
    '  load 101/101',
    '  (anonymous) 50/50',
    'gc 2/2',
  ])
})

test('a real heap profile keeps every byte', () => {
  const total = (entry: Node): number =>
    entry.children.reduce((sum, child) => sum + total(child), entry.selfSize)
  const { head }: { head: Node } = JSON.parse(sampleText('heapprofile/node.heapprofile'))
  const profile = readProfile(sample('heapprofile/node.heapprofile'))
  expect(profile.selfValues[0]!.reduce((sum, value) => sum + value, 0)).toBe(total(head))
  expect(profile.functions.names).toContain('keep')
})

test('a stack of 10,000 frames is read', () => {
  let head = '{"callFrame":{"functionName":"leaf"},"selfSize":1,"children":[]}'
  for (let depth = 0; depth < 10_000; depth++) {
    head = `{"callFrame":{"functionName":"f${depth % 3}"},"selfSize":0,"children":[${head}]}`
  }
  const profile = readProfile(new TextEncoder().encode(`{"head":${head}}`))
  expect(profile.nodes.parents.length).toBe(10_001)
})

test('what is wrong is named by its path', () => {
  expect(() => read(node('(root)', 0))).toThrow('heapprofile: the profile holds no samples (at $.head)')
  const bad = { ...node('(root)', 0), children: [node('a', 1), { selfSize: 1 }] }
  expect(() => read(bad)).toThrow('heapprofile: expected an object (at $.head.children[1].callFrame)')
})
