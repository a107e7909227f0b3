import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { functionRows } from '../testing/function-rows.ts'

/** `python3 samples/count-by-function.py firefox FILE`; of several functions of one name, none. */
const expected: Readonly<Record<string, { count: number; rows: string[]; gammaUs: number }>> = {
  'firefox/simple-firefox.json.gz': {
    count: 39,
    rows: ['27 27 gamma', '1 38 js::RunScript', '1 1 Module', '1 1 getSourceURL', '1 1 script parsing'],
    // The time that speedscope's importer gives it.
    gammaUs: 26_984,
  },
}
const paths = fixturePaths('firefox')

test.runIf(paths.length > 0)('every profile is compared', () => {
  expect(paths).toEqual(Object.keys(expected))
})

test.runIf(paths.length > 0).each(paths)('%s has the rows of an independent count', (path) => {
  const profile = readProfile(fixture(path))
  const { count, rows, gammaUs } = expected[path]!
  expect(profile).toMatchObject({ format: 'firefox', sampleCount: count })
  expect(functionRows(profile, { type: 'samples' })).toEqual(expect.arrayContaining(rows))
  expect(functionRows(profile, { type: 'wall', per: 1000 })).toContain(`${gammaUs} ${gammaUs} gamma`)
})
