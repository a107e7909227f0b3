import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import type { Profile } from '../profile.ts'
import { compareSets } from './compare-sets.ts'

/** Functions without names by line, below a `main` that starts at the first of them. */
function version(values: Record<number, number>): Profile {
  const builder = new ProfileBuilder({ format: 'cpuprofile', sampleTypes: [{ type: 'wall', unit: 'ms' }] })
  const functionAt = (name: string, line: number) => builder.functions.intern(name, '/app/main.js', line)
  const lines = Object.keys(values).map(Number)
  const main = builder.child(0, functionAt('main', lines[0]!))
  for (const line of lines) builder.add(builder.child(main, functionAt('(anonymous)', line)), [values[line]!])
  return builder.finish({ warnings: [] })
}

const drawSets = (...sets: [Profile[], Profile[]]) =>
  compareSets(...sets, { limit: 9 })
    .functions.filter(({ functionName }) => functionName === '(anonymous)')
    .map(({ line, baseSelf, headSelf }) => `${line}: ${baseSelf} → ${headSelf}`)

test('functions of several versions of a program in one set are added up', () => {
  const base = [version({ 10: 1, 20: 5 }), version({ 13: 1, 23: 5 })]
  expect(drawSets(base, [version({ 13: 6, 23: 10 })])).toEqual(['13: 2 → 6', '23: 10 → 10'])
})

test('functions that were not met in all profiles of a set are not taken for others', () => {
  const base = [version({ 10: 1, 20: 5 }), version({ 10: 3, 30: 7 })]
  expect(drawSets(base, [version({ 10: 4, 20: 5, 30: 8 })])).toEqual(['30: 7 → 8', '10: 4 → 4', '20: 5 → 5'])
})
