import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { nameRequest, readRequestLog } from '@flamegate/loadtest/request-log'
import { jtlFile } from './jtl-file.ts'
import type { RequestLogTask, ToRequestLog, WholeFile } from './messages.ts'
import { parquetFile } from './parquet-file.ts'
import type { FileRow } from './rows-file.ts'

// Makes a file of millions of requests: a thread, so that nothing else of the worker waits for it.
if (parentPort === null) throw new TypeError('It is no thread')
const port = parentPort
const { format, path, run }: RequestLogTask = workerData
const file = format === 'jtl' ? jtlFile(path) : parquetFile(path)

// What goes wrong ends the thread, and the one that started it hears of that.
port.on('message', (message: ToRequestLog) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void answerTo(message).then((answer) => port.postMessage(answer))
})

async function answerTo(message: ToRequestLog): Promise<WholeFile | null> {
  if (message.type === 'add') {
    await file.add(rowsOf(message.piece, message.slot))
    return null
  }
  await file.end()
  return wholeFile()
}

function rowsOf(piece: Uint8Array, slot: number): FileRow[] {
  const agent = { slot, name: run.agents.get(slot) ?? `agent ${slot}` }
  return Array.from(readRequestLog(piece), (row) => [row, nameRequest(row, agent, run)])
}

async function wholeFile(): Promise<WholeFile> {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path)) {
    md5.update(chunk)
    sha256.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, md5: md5.digest('base64'), sha256: sha256.digest('hex') }
}
