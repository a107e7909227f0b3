import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

const paths = fixturePaths('codspeed').filter((path) => path.endsWith('.MemtrackArtifact.msgpack'))

// The numbers that the fixtures' README gives: allocated, allocation calls, heap peak, live at the end.
const known: Record<string, number[]> = {
  'codspeed/memory/results/4242.MemtrackArtifact.msgpack': [2_696_848, 252, 832_912, 444_288],
  'codspeed/memory/realloc.MemtrackArtifact.msgpack': [42, 1, 42, 42],
}

test.runIf(paths.length > 0).each(paths)('%s has the numbers of its heap', (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('memtrack')
  const total = (type: string) => {
    const index = profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)
    return profile.selfValues[index]!.reduce((sum, value) => sum + value, 0)
  }
  const found = ['alloc_space', 'alloc_objects', 'peak_space', 'inuse_space'].map(total)
  expect(found).toEqual(known[path])
})

test.runIf(paths.length === 0)('FLAMEGATE_FIXTURES names no artifacts of memtrack: none were read', () => {
  expect(paths).toEqual([])
})
