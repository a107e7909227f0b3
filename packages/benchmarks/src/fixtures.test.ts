import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { adapterNames, readBenchmarkResults } from './index.ts'
import type { AdapterName } from './index.ts'

// An extra set of other people's files, too large or not ours to commit: FLAMEGATE_FIXTURES/<format>/<file>.
const root = process.env['FLAMEGATE_FIXTURES']
if (!root) console.warn('SKIPPED: the extra benchmark fixtures. Set FLAMEGATE_FIXTURES to read them too.')

/** Folders that have another name than their adapter. */
const otherFolders: Partial<Record<AdapterName, string[]>> = {
  bencher_json: ['bmf-json'],
  benchmark_dotnet: ['benchmarkdotnet'],
  benchmark_js: ['benchmarkjs'],
  github_action_benchmark: ['gha-benchmark-custom', 'gha-benchmark-datajs'],
  luau: ['benchmarkluau'],
}

/** What is expected of others, and files that must be refused. */
const isNoResult = /exp_stacks|\.empty\.|\.invalid\./

const files = adapterNames.flatMap((adapter) =>
  (otherFolders[adapter] ?? [adapter.replaceAll('_', '-')]).flatMap((name) => {
    const folder = join(root ?? '', name)
    return root && existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => /\.(json|txt|bench|gz|csv|md|js|out)$/.test(file) && !isNoResult.test(file))
          .map((file) => ({ adapter, file, path: join(folder, file) }))
      : []
  }),
)

describe.runIf(root)('extra fixtures', () => {
  test('are there', () => {
    expect(files.length).toBeGreaterThan(0)
  })

  test.each(files)('$adapter: $file is read and recognised', ({ adapter, path }) => {
    const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)
    const report = readBenchmarkResults(bytes)
    expect(report.adapters).toEqual([adapter])
    // A file without any finished benchmark must say so itself.
    expect(report.results.length > 0 || report.warnings.length > 0).toBe(true)
  })
})
