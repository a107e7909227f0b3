import { expect, test } from 'vitest'
import { exportProfile } from '../exports/profile-export.ts'
import { withOriginRules } from '../profile.ts'
import { compareProfiles } from '../several/compare-profiles.ts'
import { differentialFlameGraph } from '../several/differential-flame-graph.ts'
import { mergeProfiles } from '../several/merge-profiles.ts'
import { profileOf } from '../testing/stacks.ts'
import { flameGraphTree } from './flame-graph-tree.ts'
import { summarizeFlameGraph } from './flame-graph-summary.ts'
import { groupByFunctions } from './group-by.ts'
import { sandwich } from './sandwich.ts'
import { topFunctions } from './top-functions.ts'

const rules = [{ in: 'function' as const, pattern: 'acme', origin: 'Acme' }]
const profile = withOriginRules(profileOf('main;acme_read 3\nmain 1\n'), rules)
const unnamed = profileOf('main;acme_read 1\nmain 1\n')

test('rules of a project hold in every question', () => {
  const both = ['acme_read: Acme', 'main: Unknown']
  expect(origins(topFunctions(profile, { by: 'self', limit: 9 }))).toEqual(both)
  expect(origins(summarizeFlameGraph(profile).hotSpots)).toEqual(both)
  expect(origins(sandwich(profile, 'main', { depth: 3 }).callees)).toContain(both[0])
  expect(flameGraphTree(profile).origins).toEqual(['', 'Unknown', 'Acme'])
  for (const by of ['origin', 'package'] as const) {
    const { rows } = groupByFunctions(profile, by, { order: 'self', limit: 9 })
    expect(rows.map(({ name }) => name)).toEqual(['Acme', 'Unknown'])
  }
})

test('they hold in what is made of several profiles, too', () => {
  const { functions, tree } = compareProfiles(unnamed, profile, { limit: 9 })
  expect(functions.map(({ origin }) => origin)).toEqual(['Acme', 'Unknown'])
  expect(differentialFlameGraph(tree, 9).functions.map(({ origin }) => origin)).toEqual(['Unknown', 'Acme'])
  const merged = mergeProfiles([profile, profile])
  expect(topFunctions(merged, { by: 'self', limit: 1 })[0]?.origin).toBe('Acme')
})

test.each(['d3', 'svg', 'markdown'] as const)('they hold in exports as %s', (format) => {
  const { bytes } = exportProfile(profile, undefined, format, { name: 'cpu' })
  expect(new TextDecoder().decode(bytes)).toContain('Acme')
})

function origins(rows: readonly { functionName: string; origin: string }[]): string[] {
  return rows.map((row) => `${row.functionName}: ${row.origin}`)
}
