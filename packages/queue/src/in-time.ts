import { Problem } from '@flamegate/contract'

/** Callers wait for this answer inside a request. */
export const answerWithinMs = 5_000

/** For what somebody waits for inside of a request. @throws Problem `unavailable` when the queue is away */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await inTime(work)
  } catch (error) {
    throw Object.assign(
      new Problem('unavailable', 'The job queue cannot be reached. Try again.', { retryAfterSeconds: 5 }),
      { cause: error },
    )
  }
}

export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The job queue did not answer in time.')), answerWithinMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
