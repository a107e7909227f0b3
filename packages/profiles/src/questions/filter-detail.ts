import type { LabelledValues, ProfileDetail, Timeline } from '../profile-detail.ts'
import { labelSetsWith, type SampleFilter } from './filter-profile.ts'

/**
 * What `filterProfile` leaves of a profile's detail: labels and times of the samples that are kept. Lines are known of all
 * samples together only, so of a part of them there are none.
 */
export function filterDetail(
  detail: ProfileDetail | undefined,
  filter: SampleFilter,
): ProfileDetail | undefined {
  const { fromMs = -Infinity, toMs = Infinity } = filter
  const byTime = filter.fromMs !== undefined || filter.toMs !== undefined
  const byLabel = filter.labels !== undefined && filter.labels.size > 0
  if (detail === undefined || (!byTime && !byLabel)) return detail
  const isKept = labelSetsWith(detail, filter.labels)
  const kept: ProfileDetail = { labelSets: detail.labelSets }
  const { labelled, timeline } = detail
  if (timeline !== undefined) {
    kept.timeline = only(
      timeline,
      (sample) =>
        timeline.timesMs[sample]! >= fromMs &&
        timeline.timesMs[sample]! < toMs &&
        isKept[timeline.labelSetIndexes[sample]!] === 1,
    )
  }
  if (labelled !== undefined) {
    if (byTime) kept.labelled = labelledOf(kept.timeline!)
    else {
      const rows = rowsWhere(labelled.nodes.length, (row) => isKept[labelled.labelSetIndexes[row]!] === 1)
      kept.labelled = {
        nodes: Int32Array.from(rows, (row) => labelled.nodes[row]!),
        labelSetIndexes: Int32Array.from(rows, (row) => labelled.labelSetIndexes[row]!),
        values: labelled.values.map((column) => Float64Array.from(rows, (row) => column[row]!)),
      }
    }
  }
  return kept
}

function only(timeline: Timeline, isKept: (sample: number) => boolean): Timeline {
  const samples = rowsWhere(timeline.timesMs.length, isKept)
  return {
    timesMs: Float64Array.from(samples, (sample) => timeline.timesMs[sample]!),
    nodes: Int32Array.from(samples, (sample) => timeline.nodes[sample]!),
    labelSetIndexes: Int32Array.from(samples, (sample) => timeline.labelSetIndexes[sample]!),
    values: Float64Array.from(samples, (sample) => timeline.values[sample]!),
  }
}

/** The samples of a timeline, added up by place and labels. */
function labelledOf({ nodes, labelSetIndexes, values }: Timeline): LabelledValues {
  const order = Uint32Array.from(nodes.keys()).toSorted(
    (a, b) => nodes[a]! - nodes[b]! || labelSetIndexes[a]! - labelSetIndexes[b]!,
  )
  const rows = { nodes: [] as number[], labelSetIndexes: [] as number[], values: [] as number[] }
  for (const sample of order) {
    const last = rows.nodes.length - 1
    if (rows.nodes[last] === nodes[sample] && rows.labelSetIndexes[last] === labelSetIndexes[sample]) {
      rows.values[last]! += values[sample]!
      continue
    }
    rows.nodes.push(nodes[sample]!)
    rows.labelSetIndexes.push(labelSetIndexes[sample]!)
    rows.values.push(values[sample]!)
  }
  return {
    nodes: Int32Array.from(rows.nodes),
    labelSetIndexes: Int32Array.from(rows.labelSetIndexes),
    values: [Float64Array.from(rows.values)],
  }
}

function rowsWhere(count: number, isKept: (row: number) => boolean): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row).filter((row) => isKept(row))
}
