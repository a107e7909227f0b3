import { ProfileBuilder } from '../profile-builder.ts'
import { selfValuesOf, withOriginRules, type ImportedProfile, type SampleType } from '../profile.ts'
import { unitFactor } from '../questions/format-value.ts'
import { sameFunctions } from './same-functions.ts'

/** Profiles that have nothing in common to add up. The message says why. */
export class CannotMergeError extends Error {
  override readonly name = 'CannotMergeError'
}

/**
 * Several profiles as one, such as all of a day: stacks that are the same become one, and what they have is added up, by
 * label and by line too where every profile's detail is given. Values are in the units of the first profile. A sample type that
 * not all of them have, or that is measured in something else, is left out, with a warning; so are the times of samples.
 *
 * @throws CannotMergeError when no sample type is left
 * @throws FormatError when they have more nodes together than one profile may
 */
export function mergeProfiles(profiles: readonly ImportedProfile[]): ImportedProfile {
  const [first] = profiles
  if (first === undefined) throw new RangeError('There are no profiles to merge')
  if (profiles.length === 1) return first
  const { columns, warnings } = commonSampleTypes(first, profiles)
  const defaultType = first.sampleTypes[first.defaultSampleTypeIndex]
  const builder = new ProfileBuilder({
    format: first.format,
    sampleTypes: columns.map(({ sampleType }) => sampleType),
    defaultSampleTypeIndex: Math.max(
      0,
      columns.findIndex(({ sampleType }) => sampleType === defaultType),
    ),
    countsCalls: profiles.some(({ nodes }) => nodes.calls !== undefined),
  })
  const { functions, functionsOf } = sameFunctions(profiles, { areOfOneProgram: true })
  for (const [index, profile] of profiles.entries()) {
    const sources = columns.map(({ sources: all }) => all[index]!)
    addProfile(builder, profile, sources, functionsOf[index]!)
    warnings.push(...profile.warnings)
  }
  if (profiles.some(({ detail }) => detail?.timeline !== undefined))
    warnings.push('Times of samples are not kept: each profile has its own.')
  const durations = profiles.flatMap(({ durationMs }) => durationMs ?? [])
  const merged = builder.finish({
    durationMs:
      durations.length === profiles.length ? durations.reduce((sum, each) => sum + each, 0) : undefined,
    startedAt: profiles.flatMap(({ startedAt }) => startedAt ?? []).toSorted()[0],
    sampleCount: profiles.reduce((sum, { sampleCount }) => sum + sampleCount, 0),
    warnings: [...new Set(warnings)],
  })
  return withOriginRules({ ...merged, functions }, first.functions.originRules)
}

/** Where the values of a sample type are in one of the profiles, and what makes them the unit of the first. */
interface Source {
  index: number
  factor: number
}

function commonSampleTypes(
  first: ImportedProfile,
  profiles: readonly ImportedProfile[],
): { columns: { sampleType: SampleType; sources: Source[] }[]; warnings: string[] } {
  const warnings: string[] = []
  const columns = first.sampleTypes.flatMap((sampleType) => {
    const sources = profiles.flatMap(({ sampleTypes }) => sourceOf(sampleType, sampleTypes) ?? [])
    return sources.length === profiles.length ? [{ sampleType, sources }] : []
  })
  const kept = new Set(columns.map(({ sampleType }) => sampleType.type))
  const all = profiles.flatMap(({ sampleTypes }) => sampleTypes.map(({ type }) => type))
  const left = new Set(all.filter((type) => !kept.has(type)))
  if (kept.size === 0) {
    throw new CannotMergeError(`no sample type is common to all: there are ${[...left].join(', ')}`)
  }
  if (left.size > 0)
    warnings.push(`Left out, because not all of the merged profiles have it: ${[...left].join(', ')}.`)
  return { columns, warnings }
}

function sourceOf(wanted: SampleType, sampleTypes: readonly SampleType[]): Source | undefined {
  const index = sampleTypes.findIndex(({ type }) => type === wanted.type)
  const factor = index < 0 ? undefined : unitFactor(sampleTypes[index]!.unit, wanted.unit)
  return factor === undefined ? undefined : { index, factor }
}

function addProfile(
  builder: ProfileBuilder,
  { nodes, functions, detail, ...profile }: ImportedProfile,
  sources: readonly Source[],
  functionOf: Int32Array,
): void {
  const places = new Int32Array(nodes.parents.length)
  for (let node = 1; node < places.length; node++) {
    const parent = places[nodes.parents[node]!]!
    places[node] = builder.child(parent, functionOf[nodes.functionIndexes[node]!]!, nodes.lines[node])
    if (nodes.calls !== undefined) builder.addCalls(places[node]!, nodes.calls[node]!)
  }
  const values = new Float64Array(sources.length)
  const addRows = (
    columns: readonly Float64Array[],
    count: number,
    add: (row: number, values: Float64Array) => void,
  ) => {
    for (let row = 0; row < count; row++) {
      let hasValue = false
      for (const [column, { index, factor }] of sources.entries()) {
        values[column] = columns[index]![row]! * factor
        if (values[column] !== 0) hasValue = true
      }
      if (hasValue) add(row, values)
    }
  }

  const { labelled, lines, labelSets = [] } = detail ?? {}
  if (labelled === undefined) {
    const columns = profile.sampleTypes.map((_, index) =>
      selfValuesOf({ ...profile, nodes, functions }, index),
    )
    addRows(columns, places.length, (node, row) => builder.add(places[node]!, row))
  } else {
    const sets = labelSets.map((labels) => builder.labelSet(labels))
    addRows(labelled.values, labelled.nodes.length, (at, row) => {
      builder.add(places[labelled.nodes[at]!]!, row, { labelSet: sets[labelled.labelSetIndexes[at]!]! })
    })
  }
  if (lines === undefined) return
  addRows(lines.totalValues, lines.nodes.length, (at, row) => {
    builder.addLine(places[lines.nodes[at]!]!, lines.lines[at]!, row)
  })
  const nothing = new Float64Array(sources.length)
  addRows(lines.selfValues, lines.nodes.length, (at, row) => {
    builder.addLine(places[lines.nodes[at]!]!, lines.lines[at]!, nothing, row)
  })
}
