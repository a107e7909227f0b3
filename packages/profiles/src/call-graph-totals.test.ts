import { expect, test } from 'vitest'
import { TreeTotals } from './call-graph-totals.ts'
import { CallGraph } from './call-graph.ts'
import { ProfileBuilder } from './profile-builder.ts'

/** Of graphs whose functions are numbers: self values, and what calls cost. */
function totalsOf(
  graphs: { self: number[]; calls: [caller: number, callee: number, cost: number][] }[],
  maxNodes?: number,
) {
  const builder = new ProfileBuilder({
    format: 'collapsed',
    sampleTypes: [{ type: 'Ir', unit: 'count' }],
    countsCalls: true,
  })
  const totals = new TreeTotals(0)
  for (const { self, calls } of graphs) {
    const graph = new CallGraph({ format: 'collapsed', sampleTypeCount: 1 })
    for (const [index, value] of self.entries()) {
      graph.addSelf(builder.functions.intern(`f${index}`), [value])
    }
    for (const [caller, callee, cost] of calls) graph.addCall({ caller, callee, calls: 1 }, [cost])
    graph.addTo(builder, { maxNodes, totals })
  }
  return totals
}

const exact = { functionCount: 0, share: 0 }

test('totals of a graph without circles are those of the graph', () => {
  const totals = totalsOf([
    {
      self: [10, 0, 0, 90],
      calls: [
        [0, 1, 60],
        [0, 2, 30],
        [1, 3, 60],
        [2, 3, 30],
      ],
    },
  ])
  expect([totals.circles(), totals.offBy(0)]).toEqual([exact, exact])
})

test('functions that call each other are counted, with what is in and below their circle', () => {
  const circle = {
    self: [10, 40, 20, 30],
    calls: [
      [0, 1, 90],
      [1, 2, 50],
      [2, 1, 45],
      [2, 3, 30],
    ] as [number, number, number][],
  }
  expect(totalsOf([circle]).circles()).toEqual({ functionCount: 2, share: 0.9 })
  // In two parts they are the same functions.
  expect(totalsOf([circle, circle]).circles()).toEqual({ functionCount: 2, share: 0.9 })
})

test('a function that calls itself is no circle', () => {
  const self = {
    self: [10, 90],
    calls: [[0, 1, 90] as [number, number, number], [1, 1, 80] as [number, number, number]],
  }
  expect(totalsOf([self]).circles()).toEqual(exact)
})

test('where nodes are limited, totals of callers are off by what was counted elsewhere', () => {
  const shared = {
    self: [0, 0, 0, 100],
    calls: [
      [0, 1, 60],
      [0, 2, 40],
      [1, 3, 60],
      [2, 3, 40],
    ] as [number, number, number][],
  }
  expect(totalsOf([shared]).offBy(0.001)).toEqual(exact)
  // All of the last one is below the first of its callers, which costs 40 more, and the second one nothing.
  expect(totalsOf([shared], 5).offBy(0.001)).toEqual({ functionCount: 2, share: 0.4 })
  expect(totalsOf([shared], 5).offBy(0.5)).toEqual(exact)
})
