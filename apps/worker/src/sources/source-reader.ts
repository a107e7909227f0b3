import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SourceReader, SourceReading, SourceRequest } from '@flamegate/operations/ports'
import { isVerifiedAnswer, type FromThread, type ThreadStart, type ToThread } from './messages.ts'

export interface SourceReaderOptions {
  threadFile: URL
  /** Where recordings are until they are stored. */
  folder: string
  /** Of the JavaScript heap of one thread. */
  heapMegabytes: number
  /** A source that takes longer is given up. */
  timeoutMs: number
}

export const sourceReaderDefaults: SourceReaderOptions = {
  threadFile: new URL('source-thread.ts', import.meta.url),
  folder: tmpdir(),
  heapMegabytes: 1024,
  timeoutMs: 600_000,
}

/** Reads each source in a thread of its own, which is ended when it takes too much memory or time. */
export function openSourceReader(options = sourceReaderDefaults): SourceReader {
  return {
    async read(request) {
      const folder = await mkdtemp(join(options.folder, 'flamegate-source-'))
      const release = () => rm(folder, { recursive: true, force: true })
      try {
        return await readInThread(request, options, join(folder, 'recording'), release)
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}

async function readInThread(
  { format, options, content, isVerified }: SourceRequest,
  { threadFile, heapMegabytes, timeoutMs }: SourceReaderOptions,
  recordingFile: string,
  release: () => Promise<void>,
): Promise<SourceReading> {
  const start: ThreadStart = { format, options, recordingFile, answer: new SharedArrayBuffer(4) }
  const answer = new Int32Array(start.answer)
  const thread = new Worker(threadFile, {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  const chunks = content[Symbol.asyncIterator]()
  const { promise, resolve, reject } = Promise.withResolvers<SourceReading>()
  const refuse = (refused: string) => resolve({ outcome: { refused }, recording: null, release })
  const timer = setTimeout(() => refuse('It takes too long to read. Import a part of it.'), timeoutMs)

  async function sendChunk(): Promise<void> {
    const { done, value } = await chunks.next()
    const message: ToThread = { chunk: done === true ? undefined : value }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(message)
  }

  thread.on('message', (message: FromThread) => {
    if ('done' in message) {
      resolve(readingOf(message, recordingFile, release))
    } else if (message.want === 'isVerified') {
      const said = isVerified(message.host) ? isVerifiedAnswer.yes : isVerifiedAnswer.no
      Atomics.store(answer, 0, said)
      Atomics.notify(answer, 0)
    } else sendChunk().catch(reject)
  })
  thread.on('error', (error: unknown) => {
    if (isOutOfMemory(error)) refuse('It takes too much memory to read. Import a part of it.')
    else reject(error)
  })
  thread.on('exit', (code) => reject(new Error(`The thread ended with code ${code} before it was done`)))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await thread.terminate()
    await chunks.return?.()
  }
}

function readingOf(
  { done, recording: { sizeBytes, md5 } }: Extract<FromThread, { done: unknown }>,
  recordingFile: string,
  release: () => Promise<void>,
): SourceReading {
  if ('refused' in done) return { outcome: done, recording: null, release }
  const index = done.recordingIndex
  const recording =
    index.exchanges.length === 0
      ? null
      : { index, sizeBytes, md5, open: () => createReadStream(recordingFile) }
  return { outcome: done.imported, recording, release }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
