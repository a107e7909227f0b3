import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { kindOf, type Finding } from './finding.ts'
import type { ImporterResult } from './importer-result.ts'
import { KeptResults } from './kept-results.ts'
import type { Input, Subject } from './subject.ts'
import { table } from './table.ts'
import { watchReader } from './watch-reader.ts'

/** After so many processes that hung or died there is enough to do. */
const deathsMax = 10
/** A process is young enough for its peak of memory to be that of its inputs, and old enough to be quick. */
const inputsPerReader = 25_000

/** A page of docs/benchmarks, which is written when all importers have read so many inputs. */
export interface FuzzPage {
  path: string
  inputsMin: number
  write: (results: readonly ImporterResult[], seed: number) => string
}

/** Everything that a run does, by the arguments of the process. */
export async function runFuzz<Each extends Input>(subject: Subject<Each>, page: FuzzPage): Promise<void> {
  const { values } = parseArgs({
    options: {
      inputs: { type: 'string', default: String(page.inputsMin) },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      readers: { type: 'string', default: String(availableParallelism()) },
      resume: { type: 'string' },
    },
  })
  const inputs = Number(values.inputs)
  const seed = Number(values.seed)
  const asked = values.only?.split(',')
  const formats = subject.formats.filter((format) => asked === undefined || asked.includes(format))
  if (formats.length < (asked?.length ?? 1)) throw new RangeError(`There are ${subject.formats.join(', ')}.`)

  const folder = mkdtempSync(join(tmpdir(), 'flamegate-fuzz-'))
  const originals = subject.originals()
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
    tell(findings, { seed, folder })
    process.exitCode = 1
  }
  if (inputs >= page.inputsMin && asked === undefined) writeFileSync(page.path, page.write(inOrder, seed))

  async function readFormats(): Promise<void> {
    for (let format = waiting.shift(); format !== undefined; format = waiting.shift()) {
      const result = await readFormat(format)
      results.push(result)
      kept?.add(result)
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(0)
      console.log(
        `${seconds} s: ${format}, ${result.read} read, ${result.refused} refused, ${result.findings.length} findings, slowest ${result.slowestMs.toFixed(0)} ms`,
      )
    }
  }

  async function readFormat(format: string): Promise<ImporterResult> {
    const result: ImporterResult = {
      format,
      inputs: 0,
      originals: originals.count(format),
      read: 0,
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
      const order = { seed, format, from, to, folder: join(folder, format) }
      const watched = await watchReader(subject, order, originals)
      const { tally } = watched
      result.inputs += tally.next - from
      result.read += tally.read
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
}

/** The first of each kind, with a file to try it on. */
function tell(all: readonly Finding[], { seed, folder }: { seed: number; folder: string }): void {
  const byKind = Map.groupBy(all, kindOf)
  console.log(`\n${all.length} findings of ${byKind.size} kinds, with seed ${seed}:`)
  for (const [first, ...more] of byKind.values()) {
    if (first === undefined) continue
    const { format, number, how, problem, smallest } = first
    const file = join(folder, `${format}-${number}`)
    writeFileSync(file, Buffer.from(smallest, 'base64'))
    console.log(
      `- ${format} ${number}${how === '' ? '' : ` (${how})`}: ${problem}; ${more.length} more like it\n  ${file}`,
    )
  }
}
