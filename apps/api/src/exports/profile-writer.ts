import { Worker } from 'node:worker_threads'
import { Problem } from '@flamegate/contract'
import type { ColumnsRequest, ExportRequest, ProfileWriter } from '@flamegate/operations/ports'

const waitingMost = 20
/** Callers give up after 55 s. */
const longestMs = 50_000
/** Beside columns, which do not count. */
const heapMegabytes = 2048

interface ThreadOptions {
  threadFile?: URL
  timeoutMs?: number
}

/** Writes profiles beside the event loop: files in one thread, what pages wait for in another. */
export function openProfileWriter(options: ThreadOptions = {}): ProfileWriter {
  return { write: oneByOne(options), writeColumns: oneByOne(options) }
}

/**
 * Asks one thread, one request at a time. The thread is started when the first one comes, and again when it had to be ended.
 */
function oneByOne<Outcome>(
  options: ThreadOptions,
): (request: ExportRequest | ColumnsRequest) => Promise<Outcome> {
  const { threadFile = new URL('export-thread.ts', import.meta.url), timeoutMs = longestMs } = options
  let thread: Worker | undefined
  let previous: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function inThread(request: ExportRequest | ColumnsRequest): Promise<Outcome> {
    thread ??= new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } })
    const own = thread
    own.ref()
    const answer = Promise.withResolvers<Outcome>()
    const timer = setTimeout(() => answer.reject(tooLarge('It takes too long.')), timeoutMs)
    const onError = (error: unknown) =>
      answer.reject(isOutOfMemory(error) ? tooLarge('It takes too much memory.', error) : error)
    own.once('message', answer.resolve)
    own.once('error', onError)
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      own.postMessage(request)
      return await answer.promise
    } catch (error) {
      thread = undefined
      await own.terminate()
      throw error
    } finally {
      clearTimeout(timer)
      own.removeListener('message', answer.resolve)
      own.removeListener('error', onError)
      own.unref()
    }
  }

  return async (request) => {
    if (waiting >= waitingMost) {
      throw new Problem('unavailable', 'Many profiles are being exported. Try again in 10 seconds.', {
        retryAfterSeconds: 10,
      })
    }
    waiting++
    const turn = previous.then(() => inThread(request))
    previous = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      waiting--
    }
  }
}

function tooLarge(why: string, cause?: unknown): Problem {
  return new Problem(
    'too_large',
    `This profile cannot be exported as a whole. ${why} Ask for a part of its samples, or for another format.`,
    { cause },
  )
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
