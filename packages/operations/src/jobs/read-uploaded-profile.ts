import { operations, Problem, type InputOf } from '@flamegate/contract'
import {
  demangleProfile,
  FormatError,
  readProfileInPieces,
  readStacks,
  type ImportedProfile,
} from '@flamegate/profiles'
import type { Task } from '../ports/index.ts'
import type { UploadedContent } from './job.ts'

type Pushed = Pick<InputOf<typeof operations.pushProfile>, 'started_at' | 'duration_ms' | 'stacks' | 'notes'>

const pushedFacts = operations.pushProfile.input.pick({
  started_at: true,
  duration_ms: true,
  stacks: true,
  notes: true,
})

/**
 * The profile of a file, with names of functions as people write them, and with what was said of it when it was pushed, where the
 * file does not know better.
 * @throws Problem `unreadable_profile`
 */
export async function readUploadedProfile(content: UploadedContent, task: Task): Promise<ImportedProfile> {
  try {
    return demangleProfile(await read(content, task))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new Problem('unreadable_profile', error.message, { cause: error })
  }
}

async function read(content: UploadedContent, { result }: Task): Promise<ImportedProfile> {
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
