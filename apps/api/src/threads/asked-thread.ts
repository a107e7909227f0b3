import { Worker } from 'node:worker_threads'

/** Callers give up after 55 s. */
const longestMs = 50_000
/** Beside columns, which do not count. */
const heapMegabytes = 2048

/** The thread had to be ended. The message says why. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError'
}

/** The thread ended by itself, and nobody knows why. */
export class ThreadDiedError extends Error {
  override readonly name = 'ThreadDiedError'
}

export interface ThreadOptions {
  threadFile: URL
  /** 50 s when absent. */
  timeoutMs?: number | undefined
}

/**
 * A thread that answers one message with another. It is started when the first one comes, and again when it ended, or had to be
 * ended. It keeps no process alive.
 */
export class AskedThread {
  private readonly options: ThreadOptions
  private thread: Worker | undefined

  constructor(options: ThreadOptions) {
    this.options = options
  }

  /**
   * One message at a time: see `Turns`.
   * @throws ThreadLimitError, ThreadDiedError, and what is thrown in the thread, which is a defect and ends it
   */
  async ask(message: unknown, transfer: ArrayBuffer[] = []): Promise<unknown> {
    const { timeoutMs = longestMs } = this.options
    const own = (this.thread ??= this.start())
    own.ref()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => reject(new ThreadLimitError('It takes too long.')), timeoutMs)
    const onError = (error: unknown) =>
      reject(
        isOutOfMemory(error) ? new ThreadLimitError('It takes too much memory.', { cause: error }) : error,
      )
    const onExit = (code: number) => reject(new ThreadDiedError(`The thread ended with code ${code}`))
    own.once('message', resolve).once('error', onError).once('exit', onExit)
    try {
      own.postMessage(message, transfer)
      return await promise
    } catch (error) {
      this.thread = undefined
      await own.terminate()
      throw error
    } finally {
      clearTimeout(timer)
      own.off('message', resolve).off('error', onError).off('exit', onExit)
      own.unref()
    }
  }

  private start(): Worker {
    const limits = { maxOldGenerationSizeMb: heapMegabytes }
    const thread = new Worker(this.options.threadFile, { resourceLimits: limits })
    // Also one that ends while nothing is asked of it.
    const forget = () => {
      if (this.thread === thread) this.thread = undefined
    }
    return thread.on('error', forget).on('exit', forget)
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
