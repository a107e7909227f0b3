import { expect, test } from 'vitest'
import { decodeHeapGraph, encodeHeapGraph } from '../heap/heap-graph-encoding.ts'
import { compareHeapClasses, heapClasses } from '../questions/heap-classes.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

const paths = fixturePaths('heapsnapshot')

test.runIf(paths.length > 0).each(paths)('%s is read, and its classes are those of its tree', (path) => {
  const profile = readProfile(fixture(path))
  const graph = profile.heapGraph!
  expect(profile.warnings).toEqual([])
  expect(decodeHeapGraph(encodeHeapGraph(graph))).toEqual(graph)
  const rows = topFunctions(profile, { by: 'total', limit: Infinity })
  const byName = new Map(rows.map((row) => [row.functionName, row]))
  const classes = heapClasses(graph)
  for (const { name, shallowSize, retainedSize } of classes) {
    expect(byName.get(name)).toMatchObject({ selfValue: shallowSize, totalValue: retainedSize })
  }
  const root = graph.retainedSizes[graph.root]
  expect(classes.reduce((sum, row) => sum + row.shallowSize, 0)).toBe(root)
})

/**
 * What DevTools' own worker says of these files, as recorded by chrome-devtools-mcp at ebf58f2 in
 * tests/tools/memory.test.js.snapshot: `compare_heapsnapshots`. Class, added, removed, and kilobytes of both. Of a page
 * that is recorded there, too, all 157 classes were the same in count, shallow and retained size.
 */
const differences: [base: string, head: string, rows: string[]][] = [
  [
    'heap-1',
    'heap-2',
    [
      '(object shape) 11 1 0.4 0.0',
      '(compiled code) 7 1 0.3 0.0',
      'NewObject 2 0 0.1 0.0',
      '(concatenated string) 45 43 0.9 0.9',
      'Array 2 0 0.0 0.0',
      '{constructor} 1 0 0.0 0.0',
      '(string) 4 4 0.1 0.1',
      '(number) 0 2 0.0 0.0',
      'Object 0 2 0.0 0.0',
      'InitialObject 0 2 0.0 0.1',
    ],
  ],
  [
    'heap-2',
    'heap-3',
    [
      '(concatenated string) 105 0 2.1 0.0',
      '(object shape) 7 1 0.3 0.1',
      '(string) 10 0 0.2 0.0',
      'NewObject 5 0 0.1 0.0',
      'Array 5 0 0.1 0.0',
      'system / PropertyArray 1 0 0.0 0.0',
    ],
  ],
]

test.runIf(paths.length > 0).each(differences)(
  '%s and %s differ as DevTools says',
  (base, head, expected) => {
    const [before, after] = [base, head].map(
      (name) => readProfile(fixture(`heapsnapshot/${name}.heapsnapshot.gz`)).heapGraph!,
    )
    const rows = compareHeapClasses(after!, before!)
      .filter(({ addedCount, removedCount }) => addedCount + removedCount > 0)
      .toSorted((a, b) => b.addedSize - b.removedSize - (a.addedSize - a.removedSize))
      .map(({ name, addedCount, removedCount, addedSize, removedSize }) =>
        [name, addedCount, removedCount, (addedSize / 1000).toFixed(1), (removedSize / 1000).toFixed(1)].join(
          ' ',
        ),
      )
    expect(rows).toEqual(expected)
  },
)
