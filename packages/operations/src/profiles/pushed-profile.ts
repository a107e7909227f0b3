import { idPrefixes, operations, type InputOf } from '@flamegate/contract'
import { readProfileInPieces, readStacks, type ImportedProfile } from '@flamegate/profiles'
import type { UploadedContent } from '../jobs/job.ts'
import type { Task } from '../ports/index.ts'

type Pushed = Pick<InputOf<typeof operations.pushProfile>, 'started_at' | 'duration_ms' | 'stacks' | 'notes'>

const pushedFacts = operations.pushProfile.input.pick({
  started_at: true,
  duration_ms: true,
  stacks: true,
  notes: true,
})

/** The task that reads it, which is removed with it. */
export function taskOfPushed(profileId: string): string {
  return `${idPrefixes.task}${profileId.slice(idPrefixes.profile.length)}`
}

/**
 * Reads the file of a profile with what was said of it when it was pushed, where the file does not know better.
 * @throws FormatError
 */
export async function readUploaded(content: UploadedContent, { result }: Task): Promise<ImportedProfile> {
  const pushed = result?.['pushed']
  if (pushed === undefined) return readProfileInPieces(await content.open())
  const { started_at, duration_ms, stacks, notes }: Pushed = pushedFacts.parse(pushed)
  const profile =
    stacks === undefined
      ? await readProfileInPieces(await content.open())
      : readStacks(await content.read(), stacks.layout, stacks)
  const startedAt = profile.startedAt ?? started_at
  const durationMs = profile.durationMs ?? duration_ms
  return {
    ...profile,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(durationMs === undefined ? {} : { durationMs }),
    warnings: [...notes, ...profile.warnings],
  }
}

/** The service that all samples are of, where they say it: OpenTelemetry's attribute is the label `service.name`. */
export function serviceOf({ labels }: Pick<ImportedProfile, 'labels'>): string | null {
  const label = labels.find(({ name }) => name === 'service.name')
  return label?.valueCount === 1 ? (label.values[0]?.value ?? null) : null
}
