import type { Profile } from '../ports/index.ts'

/**
 * When profiles that are held against each other were taken: as all of their files say, or else when each was uploaded,
 * because the one and the other cannot be compared.
 */
export function takenAt(records: readonly Profile[]): { timesMs: number[]; isByUpload: boolean } {
  const isByUpload = records.some(({ startedAt }) => startedAt === null)
  const timesMs = records.map(({ startedAt, createdAt }) =>
    isByUpload || startedAt === null ? createdAt.getTime() : startedAt.getTime(),
  )
  return { timesMs, isByUpload }
}
