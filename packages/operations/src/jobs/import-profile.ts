import { uploadLimits } from '@flamegate/contract'
import {
  encodeDetail,
  encodeHeapGraph,
  encodeProfile,
  selfValuesOf,
  type ImportedProfile,
  type Profile,
} from '@flamegate/profiles'
import { runImport, type JobHandler } from './job.ts'
import { readUploadedProfile } from './read-uploaded-profile.ts'

/** Decodes an uploaded profile into its call tree. */
export const importProfile: JobHandler<'import_profile'> = (payload, deps) =>
  runImport(
    payload,
    deps,
    uploadLimits.uploadBytes,
    async ({ caller, task, content, checkpoint }) => {
      const profileId = String(task.result?.['profile_id'])
      const profile = await readUploadedProfile(content, task)
      await checkpoint(80, 'Storing the call tree')
      await deps.stores.profiles.complete(caller, profileId, {
        format: profile.format,
        type: profileType(profile),
        sampleTypes: profile.sampleTypes.map((sampleType, index) => ({
          ...sampleType,
          total: selfValuesOf(profile, index).reduce((sum, value) => sum + value, 0),
        })),
        defaultSampleTypeIndex: profile.defaultSampleTypeIndex,
        durationMs: profile.durationMs ?? null,
        startedAt: profile.startedAt === undefined ? null : new Date(profile.startedAt),
        sampleCount: profile.sampleCount,
        nodeCount: profile.nodes.parents.length,
        labels: Object.fromEntries(
          profile.labels.map((label) => [
            label.name,
            label.values.map(({ value, weight }) => ({ value, weight })),
          ]),
        ),
        warnings: profile.warnings,
        service: serviceOf(profile),
        parts: {
          tree: encodeProfile(profile),
          ...(profile.detail === undefined ? {} : { detail: encodeDetail(profile.detail) }),
          ...(profile.heapGraph === undefined ? {} : { heap_graph: encodeHeapGraph(profile.heapGraph) }),
        },
      })
      return { node_count: profile.nodes.parents.length, format: profile.format, warnings: profile.warnings }
    },
    (caller, task, problem) =>
      deps.stores.profiles.fail(caller, String(task.result?.['profile_id']), problem),
  )

/** The service that all samples are of, where they say it: OpenTelemetry's attribute is the label `service.name`. */
function serviceOf({ labels }: Pick<ImportedProfile, 'labels'>): string | null {
  const label = labels.find(({ name }) => name === 'service.name')
  return label?.valueCount === 1 ? (label.values[0]?.value ?? null) : null
}

/** What a profile measures, from its sample types, for uploads that did not say. */
function profileType(profile: Profile): string {
  const types = profile.sampleTypes.map((sampleType) => sampleType.type)
  // A recording may hold both.
  if (types[profile.defaultSampleTypeIndex] === 'cpu') return 'cpu'
  if (types.some((type) => /^(inuse|alloc)_|^objects$/.test(type))) return 'heap'
  if (profile.format === 'heapprofile') return 'heap'
  if (types.includes('contentions') || types.includes('delay')) return 'contention'
  if (types.some((type) => type === 'cpu' || type === 'samples' || type === 'time')) return 'cpu'
  return profile.sampleTypes[profile.defaultSampleTypeIndex]?.type ?? 'unknown'
}
