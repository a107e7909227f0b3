import type { LabelSet, ProfileDetail } from '../profile-detail.ts'
import { sampleTypeOf, selfValuesOf, type Profile } from '../profile.ts'
import { ByteWriter } from './byte-writer.ts'
import { StackWalk } from './stack-walk.ts'

/** Of the units that speedscope knows: how many milliseconds they are. */
const msPerUnit: Readonly<Record<string, number>> = {
  nanoseconds: 1e-6,
  microseconds: 1e-3,
  milliseconds: 1,
  seconds: 1000,
}
const allSamples = 'all samples'

/**
 * A value of a profile as a speedscope file: https://www.speedscope.app/file-format-schema.json
 *
 * One "sampled" profile per thread. Where samples have times, and values are times, they stand where they were: a gap
 * before a sample is an empty stack. Elsewhere samples follow each other, without times in the order of the tree. Which
 * time was what, threads apart, other labels, lines within functions and counts of calls are not carried.
 */
export function exportSpeedscope(
  profile: Profile,
  detail: ProfileDetail | undefined,
  options: { name: string; sampleTypeIndex?: number },
): Uint8Array {
  const index = options.sampleTypeIndex ?? profile.defaultSampleTypeIndex
  const { type, unit } = sampleTypeOf(profile, index)
  const { timeline, labelled } = detail ?? {}
  const self = selfValuesOf(profile, index)
  const rows: Rows =
    timeline !== undefined && index === profile.defaultSampleTypeIndex
      ? timeline
      : labelled !== undefined
        ? { ...labelled, values: labelled.values[index]! }
        : { nodes: Int32Array.from(self, (_value, node) => node), values: self }
  const threads = rowsOfThreads(rows, detail?.labelSets ?? [[]])

  const out = new ByteWriter()
  out.text(`{"$schema":"https://www.speedscope.app/file-format-schema.json",`)
  out.text(`"name":${JSON.stringify(options.name)},"activeProfileIndex":0,"exporter":"flamegate",`)
  out.text(`"shared":{"frames":[`)
  const { names, files, startLines } = profile.functions
  for (const [each, name] of names.entries()) {
    const file = files[each] === '' ? {} : { file: files[each] }
    const line = startLines[each] === 0 ? {} : { line: startLines[each] }
    out.text(`${each === 0 ? '' : ','}${JSON.stringify({ name, ...file, ...line })}`)
  }
  out.text(`]},"profiles":[`)
  const msPerValue = msPerUnit[unit]
  const walk = new StackWalk(profile.nodes.parents)
  let isFirst = true
  for (const [thread, ofThread] of threads) {
    const name = thread === '' ? (threads.size === 1 ? type : allSamples) : thread
    const about = { name, unit: msPerValue !== undefined || unit === 'bytes' ? unit : 'none' }
    out.text(`${isFirst ? '' : ','}{"type":"sampled",${JSON.stringify(about).slice(1, -1)},`)
    writeSamples(out, { profile, rows, ofThread, walk, msPerValue })
    isFirst = false
  }
  return out.text(']}').finish()
}

/** A value per row, with its place in the tree. */
interface Rows {
  nodes: Int32Array
  values: Float64Array
  labelSetIndexes?: Int32Array
  timesMs?: Float64Array
}

/** Rows that have a value, by the name of their thread, `process / thread`; '' where they have none. */
function rowsOfThreads(rows: Rows, labelSets: readonly LabelSet[]): Map<string, number[]> {
  const threadOfSet = labelSets.map((labels) =>
    ['process', 'thread'].flatMap((name) => labels.find(([own]) => own === name)?.[1] ?? []).join(' / '),
  )
  const threads = new Map<string, number[]>()
  for (let row = 0; row < rows.nodes.length; row++) {
    if (rows.values[row] === 0) continue
    const thread = threadOfSet[rows.labelSetIndexes?.[row] ?? 0]!
    const known = threads.get(thread)
    if (known === undefined) threads.set(thread, [row])
    else known.push(row)
  }
  return threads
}

/** `startValue` to `weights`; samples and weights are gathered apart, because they stand in the file one after the other. */
function writeSamples(
  out: ByteWriter,
  {
    profile,
    rows,
    ofThread,
    walk,
    msPerValue,
  }: {
    profile: Profile
    rows: Rows
    ofThread: readonly number[]
    walk: StackWalk
    msPerValue: number | undefined
  },
): void {
  const { functionIndexes } = profile.nodes
  const timesMs = msPerValue === undefined ? undefined : rows.timesMs
  const startOf = (row: number) => timesMs![row]! / msPerValue!
  // All threads start with the profile, so that they are on one clock.
  const startValue = timesMs === undefined ? 0 : Math.min(0, timesMs[0]! / msPerValue!)
  const weights: number[] = []
  let now = startValue
  let comma = ''
  out.text(`"samples":[`)
  for (const row of ofThread) {
    if (timesMs !== undefined) {
      const gap = startOf(row) - now
      // Less is only how doubles add up.
      if (gap > 1e-12 * Math.abs(now) + 1e-6 * rows.values[row]!) {
        out.text(`${comma}[]`)
        comma = ','
        weights.push(gap)
        now += gap
      }
    }
    const { path, depth } = walk.to(rows.nodes[row]!)
    let stack = ''
    for (let index = 0; index < depth; index++)
      stack += `${index === 0 ? '' : ','}${functionIndexes[path[index]!]}`
    out.text(`${comma}[${stack}]`)
    comma = ','
    weights.push(rows.values[row]!)
    now += rows.values[row]!
  }
  out.text(`],"weights":[`)
  const perPiece = 4096
  for (let start = 0; start < weights.length; start += perPiece)
    out.text(`${start === 0 ? '' : ','}${weights.slice(start, start + perPiece).join(',')}`)
  out.text(`],"startValue":${startValue},"endValue":${now}}`)
}
