import { type ApiProblem, ApiUnreachable, buildRequest, readProblem } from '@flamegate/client'
import { operations, type RawInputOf } from '@flamegate/contract'
import type { ColumnsMessage, ColumnsOrder } from './columns-messages.ts'
import type { FlameTree } from './flame-tree.ts'

/** A whole call tree, however large. */
export interface LoadedTree {
  tree: FlameTree
  sampleType: string
  unit: string
  note: string | null
}

/** Bytes that have come, and of how many, where that is known. */
export interface LoadProgress {
  loadedBytes: number
  wholeBytes: number | undefined
}

/**
 * Loads a call tree in a worker.
 * @throws ApiProblem when the API refuses, ApiUnreachable when it cannot be had, the signal's reason when it is aborted
 */
export function loadColumns(
  input: RawInputOf<typeof operations.getFlamegraphColumns>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: LoadProgress) => void },
): Promise<LoadedTree> {
  const worker = new Worker(new URL('columns-worker.ts', import.meta.url), { type: 'module' })
  const functions: FlameTree['functions'][number][] = []
  return new Promise<LoadedTree>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.addEventListener('error', (cause) => reject(unreadable('The flame graph cannot be read.', cause)))
    worker.addEventListener('message', ({ data }: MessageEvent<ColumnsMessage>) => {
      if (data.kind === 'progress') onProgress(data)
      else if (data.kind === 'functions') functions.push(...data.functions)
      else if (data.kind === 'refused') problemOf(data).then(reject, reject)
      else if (data.kind === 'failed') reject(unreadable(data.message, undefined))
      else {
        const { layout, sampleType, unit, note } = data
        resolve({ tree: { ...layout, functions }, sampleType, unit, note })
      }
    })
    const order: ColumnsOrder = { target: buildRequest(operations.getFlamegraphColumns, input).target }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(order)
  }).finally(() => worker.terminate())
}

function problemOf({ status, retryAfter, body }: ColumnsMessage & { kind: 'refused' }): Promise<ApiProblem> {
  return readProblem(
    new Response(body, { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } }),
  )
}

function unreadable(message: string, cause: unknown): ApiUnreachable {
  return new ApiUnreachable(message, { cause })
}
