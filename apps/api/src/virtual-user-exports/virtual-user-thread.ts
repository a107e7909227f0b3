import { parentPort } from 'node:worker_threads'
import type { VirtualUserWriter } from '@flamegate/operations/ports'
import { exporters } from '@flamegate/operations/virtual-user-exporters'

// A thread that writes one virtual user after the other. What is thrown here is a defect, and ends it.
parentPort?.on('message', ([format, archive]: Parameters<VirtualUserWriter['write']>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(exporters[format](archive))
})
