import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResultReader } from '@flamegate/operations/ports'
import { readInProcess, type ReadingProcess } from '../sources/read-in-process.ts'
import type { ResultProcessDone, ResultProcessStart } from './messages.ts'

export interface ResultReaderOptions extends ReadingProcess {
  /** Where seconds of runs are until they are stored. */
  folder: string
}

export const resultReaderDefaults: ResultReaderOptions = {
  processFile: new URL('result-process.ts', import.meta.url),
  folder: tmpdir(),
  // It holds a few thousand seconds of actions, and a ZIP file beside the heap.
  heapMegabytes: 512,
  timeoutMs: 600_000,
}

/** Reads the results of each load test in a process of its own. */
export function openResultReader(options = resultReaderDefaults): ResultReader {
  return {
    async read(content) {
      const folder = await mkdtemp(join(options.folder, 'flamegate-results-'))
      const release = () => rm(folder, { recursive: true, force: true })
      try {
        const start: ResultProcessStart = { tickFile: join(folder, 'ticks') }
        const message = await readInProcess<ResultProcessDone>(options, { start, content })
        const outcome = 'refused' in message ? message : message.done
        return { outcome, openTicks: () => createReadStream(start.tickFile), release }
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}
