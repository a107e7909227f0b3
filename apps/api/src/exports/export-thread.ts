import { parentPort } from 'node:worker_threads'
import type { DifferenceRequest, ExportRequest } from '@flamegate/operations/ports'
import { writeDifference, writeExport } from '@flamegate/operations/write-export'
import { paintPng } from './paint-png.ts'

// A thread that writes one profile after the other. What is thrown here is a defect, and ends it.
parentPort?.on('message', (request: ExportRequest | DifferenceRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answerTo(request))
})

function answerTo(request: ExportRequest | DifferenceRequest): unknown {
  return 'graph' in request ? writeDifference(request, paintPng) : writeExport(request, paintPng)
}
