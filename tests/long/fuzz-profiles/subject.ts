import { profileFormats } from '@flamegate/profiles'
import type { Subject } from '../fuzzing/subject.ts'
import { makeProfileInput, type ProfileInput } from './make-input.ts'
import { profileOriginals } from './originals.ts'
import { profileOutcome } from './outcome-of.ts'

/** Of the process that reads. */
export const processBytesMax = 1024 * 1024 * 1024

/** The importers of profiles. */
export const profileImporters: Subject<ProfileInput> = {
  formats: profileFormats,
  folder: import.meta.dirname,
  originals: profileOriginals,
  makeInput: makeProfileInput,
  outcomeOf: profileOutcome,
  processBytesMax: () => processBytesMax,
}
