import { Problem, uploadLimits } from '@flamegate/contract'
import { encodeProfile, FormatError, readProfile, selfValuesOf, type Profile } from '@flamegate/profiles'
import { runImport, type JobHandler } from './job.ts'

/** Decodes an uploaded profile into its call tree. */
export const importProfile: JobHandler<'import_profile'> = (payload, deps) =>
  runImport(
    payload,
    deps,
    uploadLimits.uploadBytes,
    async ({ caller, task, bytes, checkpoint }) => {
      const profileId = String(task.result?.['profile_id'])
      const profile = read(bytes)
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
        treeBytes: encodeProfile(profile),
      })
      return { node_count: profile.nodes.parents.length, format: profile.format, warnings: profile.warnings }
    },
    (caller, task, problem) =>
      deps.stores.profiles.fail(caller, String(task.result?.['profile_id']), problem),
  )

function read(bytes: Uint8Array): Profile {
  try {
    return readProfile(bytes)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new Problem('unreadable_profile', error.message, { cause: error })
  }
}

/** What a profile measures, from its sample types, for uploads that did not say. */
function profileType(profile: Profile): string {
  const types = profile.sampleTypes.map((sampleType) => sampleType.type)
  if (types.some((type) => type.startsWith('inuse_') || type.startsWith('alloc_'))) return 'heap'
  if (profile.format === 'heapprofile') return 'heap'
  if (types.includes('contentions') || types.includes('delay')) return 'contention'
  if (types.some((type) => type === 'cpu' || type === 'samples' || type === 'time')) return 'cpu'
  return profile.sampleTypes[profile.defaultSampleTypeIndex]?.type ?? 'unknown'
}
