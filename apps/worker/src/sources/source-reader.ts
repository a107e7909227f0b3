import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Duplex, Readable } from 'node:stream'
import { childEnvironment, ended, lastWords, whenGone } from '@flamegate/loadtest-engine'
import type { SourceReader, SourceReading, SourceRequest } from '@flamegate/operations/ports'
import { answers, askDescriptor, type ProcessDone, type ProcessStart } from './messages.ts'

export interface SourceReaderOptions {
  processFile: URL
  /** Where recordings are until they are stored. */
  folder: string
  /** Of the JavaScript heap of one process. */
  heapMegabytes: number
  /** A source that takes longer is given up. */
  timeoutMs: number
}

export const sourceReaderDefaults: SourceReaderOptions = {
  processFile: new URL('source-process.ts', import.meta.url),
  folder: tmpdir(),
  heapMegabytes: 1024,
  timeoutMs: 600_000,
}

/**
 * Reads each source in a process of its own, which is ended when it takes too much time. When it wants too much memory V8 ends it;
 * it would end us, too, were it a thread: what it cannot give at once, it does not wait for.
 */
export function openSourceReader(options = sourceReaderDefaults): SourceReader {
  return {
    async read(request) {
      const folder = await mkdtemp(join(options.folder, 'flamegate-source-'))
      const release = () => rm(folder, { recursive: true, force: true })
      try {
        return await readInProcess(request, options, join(folder, 'recording'), release)
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}

async function readInProcess(
  { format, options, content, isVerified }: SourceRequest,
  { processFile, heapMegabytes, timeoutMs }: SourceReaderOptions,
  recordingFile: string,
  release: () => Promise<void>,
): Promise<SourceReading> {
  const child = fork(processFile, {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: childEnvironment(),
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
  const said = lastWords(child)
  const { promise, resolve, reject } = Promise.withResolvers<SourceReading>()
  const refuse = (refused: string) => resolve({ outcome: { refused }, recording: null, release })
  const timer = setTimeout(() => refuse('It takes too long to read. Import a part of it.'), timeoutMs)

  child.once('message', (message: ProcessDone) => resolve(readingOf(message, recordingFile, release)))
  child.once('error', reject)
  whenGone(child, (code, killedBy) => {
    // V8 aborts without memory, and the system kills without it.
    if (killedBy !== null) refuse('It takes too much memory to read. Import a part of it.')
    else reject(new Error(`The process ended with code ${code} before it was done. ${said()}`))
  })
  const start: ProcessStart = { format, options, recordingFile }
  // One that is gone tells so by itself.
  child.send(start, () => undefined)
  const source = Readable.from(content)
  source.once('error', reject)
  if (child.stdin !== null) source.pipe(child.stdin).on('error', () => undefined)
  answerHosts(child, isVerified, reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await ended(child)
    if (!source.destroyed) {
      const closed = once(source, 'close')
      source.destroy()
      await closed
    }
  }
}

function answerHosts(
  child: ChildProcess,
  isVerified: (host: string) => boolean,
  reject: (error: unknown) => void,
): void {
  const asked = child.stdio[askDescriptor]
  if (!(asked instanceof Duplex)) return
  asked.on('error', () => undefined)
  createInterface({ input: asked }).on('line', (host) => {
    try {
      asked.write(isVerified(host) ? answers.yes : answers.no)
    } catch (error) {
      reject(error)
    }
  })
}

function readingOf(
  { done, recording: { sizeBytes, md5 } }: ProcessDone,
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
