import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { functionRows } from '../testing/function-rows.ts'

/** `python3 samples/count-by-function.py safari FILE`, all rows; they are also those of speedscope's importer. */
const expected: Readonly<Record<string, string[]>> = {
  'safari/simple.html-recording.json': [
    '29395 29395 gamma',
    '3094 20112 delta',
    '1000 1000 (anonymous)',
    '517 517 firstOpenSearchURLString',
    '0 32489 (program)',
    '0 32489 alpha',
    '0 12377 beta',
    '0 1000 injectModule',
  ],
}
const paths = fixturePaths('safari')

test.runIf(paths.length > 0)('every recording is compared', () => {
  expect(paths).toEqual(Object.keys(expected))
})

test.runIf(paths.length > 0).each(paths)('%s has the rows of an independent count', (path) => {
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('safari')
  expect(functionRows(profile, { type: 'wall', per: 1000 })).toEqual(expected[path])
})
