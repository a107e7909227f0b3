import type { ProgressToken } from '@modelcontextprotocol/server'

export interface ProgressParams {
  progressToken: ProgressToken
  progress: number
  message: string
  [name: string]: unknown
}

/** A call that has not answered by then is a long one. */
const firstAfterMs = 2_000
const everyMs = 5_000

/**
 * Tells a client that asked (by its `progressToken`) that a long call is still at work, so that it does not give up.
 * How much is left nobody knows: `progress` is the seconds so far, without a total. Gives what `work` gives.
 */
export async function tellProgress<T>(
  work: Promise<T>,
  progressToken: ProgressToken | undefined,
  tell: (params: ProgressParams) => void,
): Promise<T> {
  if (progressToken === undefined) return work
  const startedAt = performance.now()
  let timer = setTimeout(function next() {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    tell({ progressToken, progress: seconds, message: `At work for ${seconds} s` })
    timer = setTimeout(next, everyMs)
  }, firstAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
