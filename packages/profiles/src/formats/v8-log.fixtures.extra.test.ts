import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { functionRows } from '../testing/function-rows.ts'

/**
 * Ticks of functions by what they are in themselves, as `node --prof-process` (Node.js 20) prints them for the log; what it
 * counts as unaccounted is below `(program)`, and its 3 ticks of the collector of garbage are those of `(garbage collector)`.
 */
const expected: Readonly<Record<string, { count: number; self: string[]; collecting: number }>> = {
  'v8log/isolate-0x102802600-v8.log.gz': {
    count: 93,
    self: [
      '42 [node]',
      '14 d',
      '12 (program)',
      '10 [libsystem_kernel.dylib]',
      '8 b',
      '3 [libsystem_platform.dylib]',
      '2 c',
      '1 [libsystem_malloc.dylib]',
      '1 [libsystem_pthread.dylib]',
    ],
    collecting: 3,
  },
}
const paths = fixturePaths('v8log')

test.runIf(paths.length > 0)('every log is compared', () => {
  expect(paths).toEqual(Object.keys(expected))
})

test.runIf(paths.length > 0).each(paths)('%s has the ticks of --prof-process', (path) => {
  const profile = readProfile(fixture(path))
  const { count, self, collecting } = expected[path]!
  expect(profile).toMatchObject({ format: 'v8_log', sampleCount: count, warnings: [] })
  const rows = functionRows(profile, { type: 'samples' })
  expect(rows.filter((row) => !row.startsWith('0 ')).map((row) => row.replace(/^(\d+) \d+/, '$1'))).toEqual(
    self,
  )
  expect(rows).toContain(`0 ${collecting} (garbage collector)`)
})
