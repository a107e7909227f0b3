import { setTimeout as pause } from 'node:timers/promises'

/** Between attempts, while nothing listens at the address: a platform that is restarted is back within seconds. */
const pausesMs = [250, 500, 1000, 2000, 4000]

/** `fetch` that tries again while no connection can be opened, so that nothing was sent. */
export async function patientFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  for (const pauseMs of pausesMs) {
    try {
      return await fetch(url, init)
    } catch (error) {
      if (!isUnconnected(error)) throw error
    }
    await pause(pauseMs, undefined, init?.signal ? { signal: init.signal } : {})
  }
  return fetch(url, init)
}

function isUnconnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
