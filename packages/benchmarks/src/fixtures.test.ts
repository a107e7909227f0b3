import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from './index.ts'
import type { BenchmarkResult } from './index.ts'
import { expectedFixtures, refusedFixtures } from './testing/expected-fixtures.ts'

// An extra set of other people's files, too large or not ours to commit: FLAMEGATE_FIXTURES/<format>/<file>.
const root = process.env['FLAMEGATE_FIXTURES'] ?? ''
if (root === '')
  console.warn('SKIPPED: the extra benchmark fixtures. Set FLAMEGATE_FIXTURES to read them too.')

/** One line for each result, in which everything is that a file tells about it; numbers have six digits. */
function summarise(result: BenchmarkResult): string {
  const { uri, value, unit, betterWhen, statistic, stats, metrics, roundValues = [] } = result
  const told = Object.entries(stats).flatMap(([key, number]) =>
    number === undefined ? [] : [`${key}=${printed(number)}`],
  )
  const further = metrics.map((metric) => `${metric.name}=${printed(metric.value)}${metric.unit}`)
  const head = [uri, printed(value), unit, betterWhen, statistic, String(roundValues.length)]
  return [...head, ...told.toSorted(), ...further.toSorted()].join(' ')
}

function printed(number: number): string {
  return number.toExponential(5)
}

describe.runIf(root !== '')('extra fixtures', () => {
  test('every file of a folder that is read is expected', () => {
    const expected = [...expectedFixtures, ...refusedFixtures].map(([path]) => path)
    const folders = new Set(expected.map((path) => path.replace(/\/.*/, '')))
    const present = [...folders].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file}`)
        .filter((path) => statSync(join(root, path)).isFile()),
    )
    expect(present.toSorted()).toEqual(expected.toSorted())
  })

  test.each(expectedFixtures)('%s is of %s, with %i results', (path, adapter, results, warnings, digest) => {
    const report = readBenchmarkResults(readFileSync(join(root, path)))
    const lines = report.results.map(summarise).toSorted()
    expect(report.adapters).toEqual([adapter])
    expect(report.results).toHaveLength(results)
    expect(report.warnings).toHaveLength(warnings)
    const found = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
    expect(found).toBe(digest)
  })

  test.each(refusedFixtures)('%s is refused', (path, message) => {
    expect(() => readBenchmarkResults(readFileSync(join(root, path)))).toThrow(message)
  })
})
