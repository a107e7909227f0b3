import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import type { LabelSet } from '../profile-detail.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import {
  isPerfBranchLine,
  readPerfFrame,
  readPerfHeader,
  readPerfSourceLine,
  type PerfFrame,
  type PerfHeader,
} from './perf-script-lines.ts'
import { binaryName } from './pprof-frames.ts'
import { textLines } from './text-lines.ts'
import { quote } from './text.ts'

const format = 'perf_script'
/** Each is two sample types. */
const maxEvents = 16
const rememberedLines = 100_000

/**
 * What `perf script` of Linux prints, of perf 3 to 6, with or without the header, and with most choices of `--fields`:
 * https://man7.org/linux/man-pages/man1/perf-script.1.html; and `report_sample.py` of Android's simpleperf.
 *
 *     nginx 812/814 [002] 203265.377019:    1001001 cpu-clock:u:
 *                   6f1 gamma+0x1c (/usr/sbin/nginx)
 *                   789 main+0x10 (/usr/sbin/nginx)
 *
 * - With one event: `samples`, and when periods were printed, the event's own type, which is the default: `cpu-clock` and
 *   `task-clock` in nanoseconds, others as counts. With several: both for each, `cycles` and `cycles_samples`.
 *   Those of both kinds of cores of a hybrid processor are one: `cpu_core/cycles/P` and `cpu_atom/cycles/P` are `cycles:P`.
 * - Processes and threads are labels, by their names and ids, and times become the timeline.
 * - Frames are told by symbol and binary, or where `srcline` was printed, by symbol and source file, with their lines. Names
 *   are as printed, mangled ones too. What has no symbol is `[binary]`. Inlined functions are frames. Samples without any
 *   frame are `<unknown>`.
 * - Branch stacks, registers, what tracepoints say and side-band records (`PERF_RECORD_…`) are left out with a warning.
 */
export const perfScript: Importer = {
  format,
  recognizes: ({ head }) => looksLikePerfScript(head),
  read: ({ bytes }, options) => readPerfScript(bytes, options),
}

/** The first lines that are no comment are the head of a sample and a frame, or both in one line. */
function looksLikePerfScript(head: string): boolean {
  const lines = head.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  for (const [index, line] of lines.slice(0, 50).entries()) {
    const header = line.startsWith('\t') ? undefined : readPerfHeader(line)
    if (header === undefined || (header.seconds === undefined && header.event === '')) continue
    if (isFrameWithBinary(header.rest) || isFrameWithBinary(lines[index + 1] ?? '')) return true
  }
  return false
}

function isFrameWithBinary(text: string): boolean {
  return (
    /^\s*[\da-f]{1,16}[ \t]\S/.test(text.slice(0, 100)) &&
    readPerfFrame(text) !== undefined &&
    text.trimEnd().endsWith(')')
  )
}

interface PerfSample {
  header: PerfHeader
  /** Innermost first: lines of the stack, and those that say where in the source the frame before them is. */
  lines: string[]
}

interface LeftOut {
  lines: number
  firstLine: string
  records: number
  branches: number
}

interface Overview {
  events: string[]
  hasPeriods: boolean
  startSeconds: number
  endSeconds: number
  /** Names of processes: of their main thread, or else of the first thread. */
  processNames: Map<number, string>
}

function readPerfScript(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const { events, hasPeriods, startSeconds, endSeconds, processNames } = overview(bytes)
  const perEvent = hasPeriods ? 2 : 1
  const sampleTypes = events.flatMap((event) => typesOf(event, events.length === 1, hasPeriods))
  if (sampleTypes.length === 0) throw new FormatError('the profile holds no samples', { format })
  const builder = new ProfileBuilder({ format, sampleTypes, defaultSampleTypeIndex: perEvent - 1, maxNodes })
  const leftOut: LeftOut = { lines: 0, firstLine: '', records: 0, branches: 0 }
  const stacks = new PerfStacks(builder, leftOut)
  const values = sampleTypes.map(() => 0)
  const types = new Map(events.map((event, index) => [event, index * perEvent]))
  let otherEvents = 0
  let withoutStack = 0
  for (const { header, lines } of perfSamples(bytes, leftOut)) {
    const type = types.get(header.event)
    if (type === undefined) {
      otherEvents++
      continue
    }
    values.fill(0)
    values[type] = 1
    if (hasPeriods) values[type + 1] = header.period ?? 0
    stacks.read(lines.length === 0 && readPerfFrame(header.rest) !== undefined ? [header.rest] : lines)
    if (stacks.depth === 0) {
      withoutStack++
      stacks.pushUnknown()
    }
    // The timeline is of the default sample type, so of the first event.
    const isTimed = type === 0 && header.seconds !== undefined
    builder.addStack(stacks, values, {
      labelSet: builder.labelSet(labelsOf(header, processNames)),
      ...(isTimed ? { timeMs: milliseconds(header.seconds! - startSeconds) } : {}),
    })
  }
  return builder.finish({
    durationMs: endSeconds > startSeconds ? milliseconds(endSeconds - startSeconds) : undefined,
    warnings: warningsOf({ ...leftOut, otherEvents, withoutStack }),
  })
}

/** Rounded to the nanosecond, which is what perf can tell. */
function milliseconds(seconds: number): number {
  return Math.round(seconds * 1e9) / 1e6
}

/** The stack of the sample that was read last, outermost first. */
class PerfStacks {
  readonly functionIndexes: number[] = []
  readonly lines: number[] = []
  private readonly builder: ProfileBuilder
  private readonly leftOut: LeftOut
  private readonly frames = new Map<string, PerfFrame | undefined>()

  constructor(builder: ProfileBuilder, leftOut: LeftOut) {
    this.builder = builder
    this.leftOut = leftOut
  }

  get depth(): number {
    return this.functionIndexes.length
  }

  read(lines: readonly string[]): void {
    this.functionIndexes.length = 0
    this.lines.length = 0
    let source: ReturnType<typeof readPerfSourceLine>
    // Inlined functions come before the function that they are in, and only that one says which binary it is.
    let binary = ''
    for (let index = lines.length - 1; index >= 0; index--) {
      const line = lines[index]!
      if (line.startsWith('  ') && !line.startsWith('   ')) {
        source = readPerfSourceLine(line)
        if (source !== undefined) continue
      }
      const frame = this.frameOf(line)
      if (frame === undefined) {
        this.skip(line)
        continue
      }
      const isInlined = frame.isInlined || source?.isInlined === true
      binary = frame.binary === '' && isInlined ? binary : frame.binary
      this.push(frame.symbol, binary, source)
      source = undefined
    }
  }

  pushUnknown(): void {
    this.push('', '', undefined)
  }

  private push(symbol: string, binary: string, source: ReturnType<typeof readPerfSourceLine>): void {
    const { functions } = this.builder
    const isKnown = symbol !== '' && symbol !== '[unknown]'
    const file = source?.file || (binary === '[unknown]' ? '' : binary)
    this.functionIndexes.push(
      isKnown ? functions.intern(symbol, file) : functions.intern(nameOfBinary(file), file),
    )
    this.lines.push(source?.line ?? 0)
  }

  private frameOf(line: string): PerfFrame | undefined {
    if (this.frames.has(line)) return this.frames.get(line)
    if (this.frames.size >= rememberedLines) this.frames.clear()
    const frame = isPerfBranchLine(line) ? undefined : readPerfFrame(line)
    this.frames.set(line, frame)
    return frame
  }

  private skip(line: string): void {
    if (isPerfBranchLine(line)) this.leftOut.branches++
    else leaveOut(this.leftOut, line)
  }
}

/** Samples, which are mostly, but not always, set apart by empty lines. */
function* perfSamples(bytes: Uint8Array, leftOut?: LeftOut): Generator<PerfSample> {
  let sample: PerfSample | undefined
  for (const untrimmed of textLines(bytes, format)) {
    const line = untrimmed.trimEnd()
    if (line.startsWith('#')) continue
    const isEmpty = line === ''
    const mayBeHeader = !isEmpty && !line.startsWith('\t') && (sample === undefined || !isStackLine(line))
    const header = mayBeHeader ? readPerfHeader(line) : undefined
    if (isEmpty || header !== undefined) {
      if (sample !== undefined) yield sample
      sample = undefined
    }
    if (isEmpty) continue
    if (header !== undefined && isSideRecord(header)) {
      if (leftOut !== undefined) leftOut.records++
    } else if (header !== undefined) sample = { header, lines: [] }
    else if (sample !== undefined) sample.lines.push(line)
    else if (leftOut !== undefined) leaveOut(leftOut, line)
  }
  if (sample !== undefined) yield sample
}

/** `PERF_RECORD_COMM: nginx:812/812`, where the colon is as that of an event, or `PERF_RECORD_FORK(812:814):(812:812)`. */
function isSideRecord({ event, rest }: PerfHeader): boolean {
  return event.startsWith('PERF_RECORD_') || rest.startsWith('PERF_RECORD_')
}

/** Below a head, what begins with an address, where a tab may have become spaces. */
function isStackLine(line: string): boolean {
  return /^\s+[\da-f]{1,16}\s/.test(line.slice(0, 100)) && !/\s\d+\.\d+:\s/.test(line.slice(0, 200))
}

function overview(bytes: Uint8Array): Overview {
  const events = new Set<string>()
  const processNames = new Map<number, string>()
  let hasPeriods = false
  let startSeconds = Infinity
  let endSeconds = -Infinity
  for (const { header } of perfSamples(bytes)) {
    const { comm, pid, tid, seconds, period, event } = header
    if (events.size < maxEvents) events.add(event)
    if (period !== undefined) hasPeriods = true
    if (seconds !== undefined) {
      startSeconds = Math.min(startSeconds, seconds)
      endSeconds = Math.max(endSeconds, seconds)
    }
    if (pid !== undefined && (pid === tid || !processNames.has(pid))) processNames.set(pid, comm)
  }
  return { events: [...events], hasPeriods, startSeconds, endSeconds, processNames }
}

function typesOf(event: string, isOnly: boolean, hasPeriods: boolean): SampleType[] {
  const name = event || 'event'
  const samples = { type: isOnly ? 'samples' : `${name}_samples`, unit: 'count' }
  if (!hasPeriods) return [samples]
  return [samples, { type: name, unit: /^(cpu|task)-clock\b/.test(name) ? 'nanoseconds' : 'count' }]
}

function labelsOf({ comm, pid, tid }: PerfHeader, processNames: ReadonlyMap<number, string>): LabelSet {
  const thread = ['thread', `${comm} ${tid}`] as const
  return pid === undefined ? [thread] : [['process', `${processNames.get(pid)} ${pid}`], thread]
}

/** What perf puts into brackets itself, such as `[kernel.kallsyms]`, has them already. */
function nameOfBinary(file: string): string {
  return file.startsWith('[') && file.endsWith(']') ? file : binaryName(file)
}

function leaveOut(leftOut: LeftOut, line: string): void {
  leftOut.lines++
  leftOut.firstLine ||= line
}

function warningsOf({
  lines,
  firstLine,
  records,
  branches,
  otherEvents,
  withoutStack,
}: LeftOut & { otherEvents: number; withoutStack: number }): string[] {
  return [
    ...(withoutStack > 0 ? [`${withoutStack} samples have no stack.`] : []),
    ...(otherEvents > 0
      ? [`${otherEvents} samples of more than ${maxEvents} different events were left out.`]
      : []),
    ...(branches > 0 ? [`Branch stacks of ${branches} samples were left out.`] : []),
    ...(records > 0 ? [`${records} records that are not samples were left out.`] : []),
    ...(lines > 0
      ? [`${lines} lines were not understood, the first one is ${quote(firstLine.trim())}.`]
      : []),
  ]
}
