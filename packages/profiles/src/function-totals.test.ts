import { describe, expect, test } from 'vitest'
import { CallGraph } from './call-graph.ts'
import { decodeProfile, encodeProfile } from './encoding.ts'
import { exportJson } from './exports/json.ts'
import { ProfileBuilder } from './profile-builder.ts'
import type { ImportedProfile, Profile } from './profile.ts'
import { filterProfile } from './questions/filter-profile.ts'
import { summarizeFlameGraph } from './questions/flame-graph-summary.ts'
import { sandwich } from './questions/sandwich.ts'
import { searchFunctions } from './questions/search-functions.ts'
import { sourceLines } from './questions/source-lines.ts'
import { topFunctions } from './questions/top-functions.ts'
import { compareProfiles } from './several/compare-profiles.ts'
import { mergeProfiles } from './several/merge-profiles.ts'
import { renameFunctions } from './symbols/rename-functions.ts'

/**
 * `main` calls `read` for 60 and `write` for 40, which call `copy` for all of it, in a tree that has no room for it twice:
 *
 *     main 100 ─ read 100 ─ copy 100
 *           └─── write 0
 */
function profileOfGraph({ factor = 1, parts = 1 } = {}): ImportedProfile {
  const builder = new ProfileBuilder({
    format: 'callgrind',
    sampleTypes: [{ type: 'Ir', unit: 'count' }],
    countsCalls: true,
  })
  const { functions } = builder
  const [main, read] = [functions.intern('main'), functions.intern('read')]
  const [write, copy] = [functions.intern('write'), functions.intern('copy')]
  for (let part = 0; part < parts; part++) {
    const graph = new CallGraph({ format: 'callgrind', sampleTypeCount: 1 })
    graph.addSelf(copy, [100 * factor])
    graph.addCall({ caller: main, callee: read, calls: 1 }, [60 * factor])
    graph.addCall({ caller: main, callee: write, calls: 1 }, [40 * factor])
    graph.addCall({ caller: read, callee: copy, calls: 1 }, [60 * factor])
    graph.addCall({ caller: write, callee: copy, calls: 1 }, [40 * factor])
    graph.addTo(builder, { maxNodes: 5, labelSet: builder.labelSet([['benchmark', `part ${part}`]]) })
  }
  return builder.finish({ warnings: [] })
}

const profile = profileOfGraph()
const withoutTotals: Profile = { ...profile, functionTotals: undefined }
const totalsOf = (of: Profile, focus?: string) =>
  topFunctions(of, { by: 'total', limit: Infinity, ...(focus === undefined ? {} : { focus }) }).map(
    (row) => `${row.functionName} ${row.totalValue}`,
  )
const exact = ['copy 100', 'main 100', 'read 60', 'write 40']
const ofTree = ['copy 100', 'main 100', 'read 100']

describe('of a whole profile, a total is that of the graph', () => {
  test('in the table of functions', () => {
    expect(totalsOf(profile)).toEqual(exact)
    expect(totalsOf(withoutTotals)).toEqual(ofTree)
    expect(summarizeFlameGraph(profile).expensiveCalls.map((row) => row.totalPercent)).toEqual([
      100, 100, 60, 40,
    ])
  })

  test('in a search, also of all that was found, when that is one function', () => {
    const options = { by: 'total', limit: 10 } as const
    const found = searchFunctions(profile, 'rea', options)
    expect([found.rows[0]!.totalValue, found.coveredValue]).toEqual([60, 60])
    expect(searchFunctions(profile, 'read|write', options).coveredValue).toBe(100)
  })

  test('between callers and callees', () => {
    expect(sandwich(profile, 'read')).toMatchObject({ totalValue: 60, totalPercent: 60, selfValue: 0 })
  })

  test('above the lines of a function', () => {
    const lines = sourceLines(profile, profile.detail, { functionName: 'read' })
    expect(lines.totalValue).toBe(60)
  })

  test('in JSON, with null where only the tree tells', () => {
    const isKnown = Uint8Array.of(1, 0, 1, 1)
    const partly = { ...profile, functionTotals: { ...profile.functionTotals!, isKnown } }
    const json = new TextDecoder().decode(exportJson(partly, undefined, { name: 'x' }))
    expect(JSON.parse(json).functions.total).toEqual([[100, null, 40, 100]])
  })

  test('after it was stored; profiles that were stored without are read as before', () => {
    expect(totalsOf(decodeProfile(encodeProfile(profile)))).toEqual(exact)
    expect(totalsOf(decodeProfile(encodeProfile(withoutTotals)))).toEqual(ofTree)
  })
})

describe('of another tree, a total is that of the tree', () => {
  test('of some stacks', () => {
    expect(totalsOf(profile, 'read')).toEqual(ofTree)
  })

  test('of some samples', () => {
    const twice = profileOfGraph({ parts: 2 })
    expect(totalsOf(twice)).toEqual(['copy 200', 'main 200', 'read 120', 'write 80'])
    const labels = new Map([['benchmark', 'part 1']])
    expect(totalsOf(filterProfile(twice, twice.detail, { labels }))).toEqual(ofTree)
  })

  test('of several profiles', () => {
    expect(totalsOf(mergeProfiles([profile, profile]))).toEqual(['copy 200', 'main 200', 'read 200'])
  })

  test('from a function on', () => {
    const { expensiveCalls } = summarizeFlameGraph(profile, { rootFunctionName: 'read' })
    expect(expensiveCalls.map((row) => `${row.functionName} ${row.totalValue}`)).toEqual([
      'copy 100',
      'read 100',
    ])
  })
})

const renamed = (...names: string[]) => renameFunctions(profile, names)

test('functions keep their totals when their names change, but those that become one', () => {
  expect(totalsOf(renamed('main', 'Read', 'Write', 'copy'))).toEqual([
    'copy 100',
    'main 100',
    'Read 60',
    'Write 40',
  ])
  expect(totalsOf(renamed('main', 'read', 'write', 'main'))).toEqual(['main 100', 'read 60', 'write 40'])
})

const differences = (base: Profile, head: Profile, by: 'none' | 'total' = 'none') =>
  compareProfiles(base, head, { sortBy: 'total', limit: 10, normalization: { by } }).functions.map(
    ({ functionName, baseTotal, headTotal }) => `${functionName} ${baseTotal} → ${headTotal}`,
  )

describe('compared', () => {
  test('totals of both graphs are, in the same measure', () => {
    const head = profileOfGraph({ factor: 2 })
    expect(differences(profile, head)).toEqual([
      'copy 100 → 200',
      'main 100 → 200',
      'read 60 → 120',
      'write 40 → 80',
    ])
    expect(differences(profile, head, 'total')).toContain('write 40 → 40')
  })

  test('a total of a graph is not held against one of a tree', () => {
    expect(differences(profile, withoutTotals)).toEqual([
      'copy 100 → 100',
      'main 100 → 100',
      'read 100 → 100',
    ])
  })

  test('a function that only one side has keeps its total', () => {
    expect(differences(profile, renamed('main', 'fetch', 'write', 'copy'))).toEqual([
      'fetch 0 → 60',
      'read 60 → 0',
      'copy 100 → 100',
      'main 100 → 100',
      'write 40 → 40',
    ])
  })
})
