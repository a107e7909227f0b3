import type { IdentityStore } from '@flamegate/operations/ports'
import type { Logger } from '@flamegate/runtime'

/** Counts calls per grant, for the list of connected apps. */
export interface GrantUse {
  /** Counts one call. An API token has no grant. */
  note(grantId: string | undefined): void
  /** Stores what is counted so far, and counts no more. */
  close(): Promise<void>
}

/** Stores sums every few seconds, so that a call costs no write. What a crash loses is a few calls of a counter. */
export function countGrantUse(
  oauth: Pick<IdentityStore['oauth'], 'noteUse'>,
  log: Logger,
  everyMs = 5_000,
): GrantUse {
  let calls = new Map<string, number>()

  async function store(): Promise<void> {
    const counted = calls
    calls = new Map()
    const at = new Date()
    const stored = [...counted].map(([grantId, count]) => oauth.noteUse(grantId, count, at))
    for (const result of await Promise.allSettled(stored)) {
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'could not count the use of a grant')
    }
  }

  const timer = setInterval(() => void store(), everyMs)
  timer.unref()
  return {
    note(grantId) {
      if (grantId !== undefined) calls.set(grantId, (calls.get(grantId) ?? 0) + 1)
    },
    async close() {
      clearInterval(timer)
      await store()
    },
  }
}
