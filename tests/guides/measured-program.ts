import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What each distinct word of a list is found by. All answer the same. */
const variants = {
  /** Compares each word with all that were found: quadratic. */
  slow: `export function distinct(words) {
  const found = []
  for (const word of words) if (!found.includes(word)) found.push(word)
  return found
}
`,
  /** Looks twice at each word: no faster on any machine, however much else that does. */
  twice: `export function distinct(words) {
  const found = []
  for (const word of words) if (!found.includes(word) && found.indexOf(word) < 0) found.push(word)
  return found
}
`,
  fast: `export const distinct = (words) => [...new Set(words)]
`,
  slower: `export function distinct(words) {
  let found = []
  for (let time = 0; time < 20; time++) {
    found = []
    for (const word of words) if (!found.includes(word)) found.push(word)
  }
  return found
}
`,
} as const

/** A program with a test and a benchmark, in a git repository of its own. */
export interface MeasuredProgram {
  folder: string
  measure: string
  test: string
  /** Changes its code; nothing is committed. */
  become(variant: keyof typeof variants): Promise<void>
}

const benchmark = `import { distinct } from './words.mjs'
const words = Array.from({ length: 3000 }, (_, index) => 'word ' + (index * 7) % 1500)
for (let round = 0; round < 10; round++) {
  const begin = performance.now()
  distinct(words)
  console.log('BenchmarkDistinct 1 ' + Math.round((performance.now() - begin) * 1e6) + ' ns/op')
}
console.log('PASS')
`

const test = `import { deepEqual } from 'node:assert/strict'
import { distinct } from './words.mjs'
deepEqual(distinct(['b', 'a', 'b']), ['b', 'a'])
`

/** @param repository What its remote is called, as `owner/name`. */
export async function makeMeasuredProgram(repository: string): Promise<MeasuredProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-measured-'))
  const become = (variant: keyof typeof variants) => writeFile(join(folder, 'words.mjs'), variants[variant])
  await Promise.all([
    become('slow'),
    writeFile(join(folder, 'bench.mjs'), benchmark),
    writeFile(join(folder, 'test.mjs'), test),
  ])
  for (const args of [
    ['init', '--quiet', '--initial-branch', 'main'],
    ['config', 'user.name', 'An agent'],
    ['config', 'user.email', 'agent@example.com'],
    ['remote', 'add', 'origin', `https://github.com/${repository}.git`],
    ['add', '.'],
    ['commit', '--quiet', '--message', 'Distinct words'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await run('git', args, { cwd: folder })
  }
  return {
    folder,
    measure: `${process.execPath} bench.mjs`,
    test: `${process.execPath} test.mjs`,
    become,
  }
}
