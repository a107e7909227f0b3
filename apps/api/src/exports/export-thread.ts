import { parentPort } from 'node:worker_threads'
import type { ColumnsRequest, ExportRequest } from '@flamegate/operations/ports'
import { writeColumns } from '@flamegate/operations/write-columns'
import { writeExport } from '@flamegate/operations/write-export'

// A thread that writes one profile after the other. What is thrown here is a defect, and ends it.
parentPort?.on('message', (request: ExportRequest | ColumnsRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage('format' in request ? writeExport(request) : writeColumns(request))
})
