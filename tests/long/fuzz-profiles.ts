// Damaged, absurd and hostile files for every importer of profiles, 100,000 each: every one is read or refused, within
// limits of time and memory. What is not is told with its number, and as a smaller file.
//
//     npm run long -- fuzz-profiles [--inputs 100000] [--seed 1] [--only jfr,pprof] [--readers 2] [--resume file]
//
// It takes an hour or two: with --resume what was found of each format is kept in a file, and not done again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { profileFormats, type ProfileFormat } from '@flamegate/profiles'
import { kindOf, type Finding } from './fuzz-profiles/finding.ts'
import { Originals } from './fuzz-profiles/originals.ts'
import type { ImporterResult } from './fuzz-profiles/importer-result.ts'
import { KeptResults } from './fuzz-profiles/kept-results.ts'
import { fuzzPage, table } from './fuzz-profiles/page.ts'
import { watchReader } from './fuzz-profiles/watch-reader.ts'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    readers: { type: 'string', default: String(availableParallelism()) },
    resume: { type: 'string' },
  },
})
const inputs = Number(values.inputs)
const seed = Number(values.seed)
const asked = values.only?.split(',')
const formats = profileFormats.filter((format) => asked === undefined || asked.includes(format))
if (formats.length < (asked?.length ?? 1)) throw new RangeError(`There are ${profileFormats.join(', ')}.`)
/** After so many processes that hung or died there is enough to do. */
const deathsMax = 10
/** A process is young enough for its peak of memory to be that of its inputs, and old enough to be quick. */
const inputsPerReader = 25_000

const folder = mkdtempSync(join(tmpdir(), 'flamegate-fuzz-'))
const originals = new Originals()
const startedAt = Date.now()
const kept = values.resume === undefined ? undefined : new KeptResults(values.resume, { seed, inputs })
const results: ImporterResult[] = kept?.results ?? []
const waiting = formats.filter((format) => !results.some((each) => each.format === format))
await Promise.all(Array.from({ length: Number(values.readers) }, readFormats))
const inOrder = formats.flatMap((format) => results.filter((each) => each.format === format))

console.log(`\n${table(inOrder)}`)
const findings = inOrder.flatMap((each) => each.findings)
if (findings.length === 0) rmSync(folder, { recursive: true })
else {
  tell(findings)
  process.exitCode = 1
}
if (inputs >= 100_000 && asked === undefined) {
  const page = join(import.meta.dirname, '../../docs/benchmarks/fuzz-profiles.md')
  writeFileSync(page, fuzzPage(inOrder, { seed }))
}

async function readFormats(): Promise<void> {
  for (let format = waiting.shift(); format !== undefined; format = waiting.shift()) {
    const result = await readFormat(format)
    results.push(result)
    kept?.add(result)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0)
    console.log(
      `${seconds} s: ${format}, ${result.profiles} read, ${result.refused} refused, ${result.findings.length} findings, slowest ${result.slowestMs.toFixed(0)} ms`,
    )
  }
}

async function readFormat(format: ProfileFormat): Promise<ImporterResult> {
  const result: ImporterResult = {
    format,
    inputs: 0,
    originals: originals.count(format),
    profiles: 0,
    refused: 0,
    refusals: 0,
    slowestMs: 0,
    slowestNumber: 0,
    largestBytes: 0,
    peakBytes: 0,
    peakNumber: 0,
    findings: [],
  }
  const refusals = new Set<string>()
  for (let from = 0, deaths = 0; from < inputs && deaths < deathsMax;) {
    const to = Math.min(inputs, from + inputsPerReader)
    const watched = await watchReader({ seed, format, from, to, folder: join(folder, format) }, originals)
    const { tally } = watched
    result.inputs += tally.next - from
    result.profiles += tally.profiles
    result.refused += tally.refused
    result.findings.push(...watched.findings)
    result.largestBytes = Math.max(result.largestBytes, tally.largestBytes)
    if (tally.slowestMs > result.slowestMs) {
      result.slowestMs = tally.slowestMs
      result.slowestNumber = tally.slowestNumber
    }
    if (tally.peakBytes > result.peakBytes) {
      result.peakBytes = tally.peakBytes
      result.peakNumber = tally.peakNumber
    }
    for (const refusal of watched.refusals) refusals.add(refusal)
    if (tally.next < to) deaths += 1
    from = tally.next
  }
  return { ...result, refusals: refusals.size }
}

/** The first of each kind, with a file to try it on. */
function tell(all: readonly Finding[]): void {
  const byKind = Map.groupBy(all, kindOf)
  console.log(`\n${all.length} findings of ${byKind.size} kinds, with seed ${seed}:`)
  for (const [first, ...more] of byKind.values()) {
    if (first === undefined) continue
    const file = join(folder, `${first.format}-${first.number}`)
    writeFileSync(file, Buffer.from(first.smallest, 'base64'))
    console.log(
      `- ${first.format} ${first.number}${first.isTold ? '' : ' (format not told)'}: ${first.problem}; ${more.length} more like it\n  ${file}`,
    )
  }
}
