import { expect, test } from 'vitest'
import { untried, withResults, worksAccordingTo } from '../long/clients/results.ts'
import type { RowResult } from '../long/clients/results.ts'

// The table in docs/clients.md is what the next run of the client matrix is held against.

const page = '# Clients\n\n| An | other |\n\n<!-- results: begin -->\n<!-- results: end -->\n\nQuirks\n'
const results: RowResult[] = [
  {
    title: 'Codex, registration',
    version: '0.169.0',
    revisions: '2025-06-18',
    steps: { ...untried, register: 'yes', list: 'yes', call: 'no' },
  },
  { title: 'mcporter', version: '0.12.3', revisions: '–', steps: untried, trouble: 'skipped: no network' },
]

test('what was written into the page is what is read from it', () => {
  const written = withResults(page, 'Run on a day.', results)
  expect(worksAccordingTo(written)).toEqual(
    new Set(['Codex, registration: register', 'Codex, registration: list']),
  )
})

test('new results replace the old ones and touch nothing else', () => {
  const twice = withResults(withResults(page, 'First.', results), 'Second.', results)
  expect(twice).toBe(withResults(page, 'Second.', results))
  expect(twice).toContain('| An | other |')
  expect(twice.endsWith('\n\nQuirks\n')).toBe(true)
})

test('a page without a place for results is refused', () => {
  expect(() => withResults('# Clients\n', '', results)).toThrow(RangeError)
  expect(worksAccordingTo(page)).toEqual(new Set())
})
