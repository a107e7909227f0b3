import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'

const paths = fixturePaths('dhat')

// What the fields of the files add up to, worked out with jq: `.pps | map(.tb) | add`, and so on.
const sums: Record<string, Record<string, number>> = {
  'dhat/dhat.minimal.out': { alloc_space: 1024, alloc_objects: 1, peak_space: 1024, read_space: 9456 },
  'dhat/dhat.mixed.frames.out': {
    alloc_space: 472,
    lifetime: 159_855,
    read_space: 2891,
    written_space: 1355,
  },
  'dhat/dhat.with_entry_point.out': {
    alloc_space: 984,
    alloc_objects: 4,
    peak_space: 712,
    peak_objects: 2,
    inuse_space: 0,
    read_space: 9070,
    written_space: 6290,
  },
}

test.runIf(paths.length > 0).each(paths)('%s is recognised, and has its sums', (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('dhat')
  for (const [type, value] of Object.entries(sums[path] ?? {})) {
    const index = profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)
    expect([type, profile.selfValues[index]?.reduce((sum, own) => sum + own, 0)]).toEqual([type, value])
  }
})

test.runIf(paths.length > 0)('stacks begin with who was called first', () => {
  expect(drawTree(readProfile(fixture('dhat/dhat.with_entry_point.out')))).toEqual([
    'test_dhat::main 472/0',
    '  test_dhat::tool::with_entry_point 472/0',
    '    test_dhat::tool::__iai_callgrind_wrapper_mod::dhat 472/0',
    '      malloc 472/472',
    'malloc 360/360',
    'calloc 152/152',
  ])
})
