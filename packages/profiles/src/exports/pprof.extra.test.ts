import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Profile } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { goTop, hasGo } from '../testing/go-tool-pprof.ts'
import { asTopRows, inOrder } from '../testing/pprof-top.ts'
import { sample, samplePaths } from '../testing/samples.ts'
import { exportProfile } from './profile-export.ts'

/** Where Go is installed, `go tool pprof` reads what we write and has the rows that we have. Fixtures as in `fixtures.ts`. */
const folder = mkdtempSync(join(tmpdir(), 'flamegate-exports-'))
afterAll(() => rmSync(folder, { recursive: true }))

const inputs: (readonly [path: string, read: () => Uint8Array])[] = hasGo
  ? [
      ...samplePaths().map((path) => [path, () => sample(path)] as const),
      ...['pprof-generated', 'cpuprofile', 'speedscope']
        .flatMap(fixturePaths)
        .filter((path) => !/debug|invalid|\.txt/.test(path))
        .map((path) => [path, () => fixture(path)] as const),
    ]
  : []

test.runIf(!hasGo)('Go is not installed: its pprof was not asked', () => {
  expect(inputs).toEqual([])
})

test.runIf(inputs.length > 0).each(inputs)(
  'go tool pprof -top has our rows of what %s is exported as',
  (path, read) => {
    const original = readProfile(read())
    const { bytes } = exportProfile(original, original.detail, 'pprof', { name: path })
    const exported = join(folder, path.replaceAll('/', '-'))
    writeFileSync(exported, bytes)
    for (const [sampleTypeIndex, { unit }] of readProfile(bytes).sampleTypes.entries()) {
      // Times with fractions have become nanoseconds, and other fractions were rounded.
      const factor = unit === original.sampleTypes[sampleTypeIndex]!.unit ? 1 : 1e6
      const rows = topFunctions(byNameAndFile(original), { by: 'self', limit: Infinity, sampleTypeIndex })
      const expected = inOrder(goTop(exported, sampleTypeIndex, unit))
      const ours = inOrder(asTopRows(rows)).filter(({ cum }) => Math.abs(cum * factor) >= 1)
      const scaled = ours.map((row) => ({ ...row, flat: row.flat * factor, cum: row.cum * factor }))
      const isWhole = scaled.every(({ flat, cum }) => Number.isInteger(flat) && Number.isInteger(cum))
      expect(isWhole ? expected : []).toEqual(isWhole ? scaled : [])
      expect(sumOf(expected)).toBeCloseTo(sumOf(scaled), 0)
    }
  },
  60_000,
)

/** `-filefunctions` does not tell functions apart by where they start, and knows of nothing but the tree. */
function byNameAndFile(profile: Profile): Profile {
  const { names, files } = profile.functions
  const firsts = new Map<string, number>()
  const first = names.map((name, index) => {
    const key = `${name}\0${files[index]}`
    if (!firsts.has(key)) firsts.set(key, index)
    return firsts.get(key)!
  })
  const functionIndexes = profile.nodes.functionIndexes.map((index) => first[index] ?? -1)
  return { ...profile, nodes: { ...profile.nodes, functionIndexes }, functionTotals: undefined }
}

function sumOf(rows: { flat: number }[]): number {
  return rows.reduce((sum, { flat }) => sum + flat, 0)
}
