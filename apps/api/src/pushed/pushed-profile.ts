import type { operations, RawInputOf } from '@flamegate/contract'

/** What `push_profile` is told of a profile that came, and its bytes. */
export interface PushedProfile {
  about: Omit<RawInputOf<typeof operations.pushProfile>, 'project_id' | 'size_bytes'>
  content: Uint8Array
}

/** The most that one request may bring, unpacked: what it holds is taken apart in memory. */
export const pushedBytesMax = 16 * 1024 * 1024
