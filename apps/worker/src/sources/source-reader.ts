import type { ChildProcess } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Duplex } from 'node:stream'
import type { SourceReader, SourceReading, SourceRequest } from '@flamegate/operations/ports'
import { answers, askDescriptor, type ProcessDone, type ProcessStart } from './messages.ts'
import { readInProcess, type ReadingProcess } from './read-in-process.ts'

export interface SourceReaderOptions extends ReadingProcess {
  /** Where recordings are until they are stored. */
  folder: string
}

export const sourceReaderDefaults: SourceReaderOptions = {
  processFile: new URL('source-process.ts', import.meta.url),
  folder: tmpdir(),
  heapMegabytes: 1024,
  timeoutMs: 600_000,
}

/** Reads each source in a process of its own. */
export function openSourceReader(options = sourceReaderDefaults): SourceReader {
  return {
    async read(request) {
      const folder = await mkdtemp(join(options.folder, 'flamegate-source-'))
      const release = () => rm(folder, { recursive: true, force: true })
      try {
        return await readSource(request, options, join(folder, 'recording'), release)
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}

async function readSource(
  { format, options, content, isVerified }: SourceRequest,
  process: ReadingProcess,
  recordingFile: string,
  release: () => Promise<void>,
): Promise<SourceReading> {
  const start: ProcessStart = { format, options, recordingFile }
  const message = await readInProcess<ProcessDone>(process, {
    start,
    content,
    serve: (child, reject) => answerHosts(child, isVerified, reject),
  })
  return 'refused' in message
    ? { outcome: message, recording: null, release }
    : readingOf(message, recordingFile, release)
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
