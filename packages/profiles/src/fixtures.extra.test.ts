import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  decodeDetail,
  decodeProfile,
  encodeDetail,
  encodeProfile,
  flameGraphTree,
  readProfile,
  renderFlameGraphSummary,
  summarizeFlameGraph,
  topFunctions,
} from './index.ts'
import { asTopRows, inOrder, parseTop } from './testing/pprof-top.ts'

/**
 * Reads profiles that are not part of the project: FLAMEGATE_FIXTURES names a folder with a folder per format.
 * Those of pprof are compared with `go tool pprof`, where Go is installed.
 */
const folder = process.env.FLAMEGATE_FIXTURES ?? ''
const folders = [
  'pprof',
  'pprof-generated',
  'pprof-legacy',
  'cpuprofile',
  'heapprofile',
  'collapsed',
  'speedscope',
]
const isGiven = folder !== '' && existsSync(folder)
const paths = isGiven
  ? folders
      .filter((name) => existsSync(join(folder, name)))
      .flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
      // What others say of the file beside it.
      .filter((path) => !path.endsWith('.string'))
  : []
const hasGo = spawnSync('go', ['version']).status === 0

test.runIf(!isGiven)('FLAMEGATE_FIXTURES names no folder: no fixtures were read', () => {
  console.warn('Set FLAMEGATE_FIXTURES to a folder of profiles to read them, too.')
  expect(paths).toEqual([])
})

test.runIf(isGiven).each(paths)('%s is read', (path) => {
  const { detail, ...profile } = readProfile(readFileSync(join(folder, path)))
  expect(profile.sampleCount).toBeGreaterThan(0)
  expect(detail && decodeDetail(encodeDetail(detail))).toEqual(detail)
  expect(decodeProfile(encodeProfile(profile))).toEqual(profile)
  expect(renderFlameGraphSummary(summarizeFlameGraph(profile), {}).length).toBeLessThan(30_000)
  expect(flameGraphTree(profile, { inverted: true }).nodes.parent.length).toBeGreaterThan(0)
})

/** Of the texts of Go, pprof reads the addresses but not the names, or nothing. */
const isGoText = (path: string) => /debug[12]\.txt/.test(path)
const pprofPaths = hasGo ? paths.filter((path) => path.startsWith('pprof') && !isGoText(path)) : []

test.runIf(pprofPaths.length > 0).each(pprofPaths)(
  '%s has the rows of go tool pprof',
  (path) => {
    const profile = readProfile(readFileSync(join(folder, path)))
    for (const [sampleTypeIndex, { unit }] of profile.sampleTypes.entries()) {
      const text = execFileSync(
        'go',
        [
          'tool',
          'pprof',
          '-top',
          '-filefunctions',
          '-nodecount=0',
          '-nodefraction=0',
          '-symbolize=none',
          `-unit=${{ nanoseconds: 'ns', bytes: 'B' }[unit] ?? unit}`,
          `-sample_index=${sampleTypeIndex}`,
          join(folder, path),
        ],
        { encoding: 'utf8', cwd: '/', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 },
      )
      const expected = parseTop(text)
      const printed = new Set(expected.map((row) => row.function))
      const ours = topFunctions(profile, { by: 'self', limit: Infinity, sampleTypeIndex })
      // Where only the binary is known, we give it as the file; pprof prints no file.
      const rows = asTopRows(ours).map((row) =>
        printed.has(row.function) ? row : { ...row, function: row.function.replace(/ [^ ]*$/, '') },
      )
      expect(inOrder(rows)).toEqual(inOrder(expected))
    }
  },
  60_000,
)
