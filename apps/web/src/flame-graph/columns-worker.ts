import type { ColumnsMessage, ColumnsOrder } from './columns-messages.ts'
import type { Layout } from './lay-out.ts'
import { readColumns } from './read-columns.ts'

/** Functions that a page takes in about a millisecond. */
const functionsAtOnce = 4000

// Fetches one call tree, lays it out and hands it over, so that the page neither parses nor sorts a million nodes.
addEventListener('message', (event: MessageEvent<ColumnsOrder>) => {
  load(event.data).catch((error: unknown) => {
    tell({
      kind: 'failed',
      message: error instanceof Error ? error.message : 'The flame graph cannot be read.',
    })
  })
})

async function load({ target }: ColumnsOrder): Promise<void> {
  const response = await fetch(target, { headers: { accept: 'application/octet-stream' } })
  if (!response.ok) {
    const retryAfter = response.headers.get('retry-after')
    tell({ kind: 'refused', status: response.status, retryAfter, body: await response.text() })
    return
  }
  const { functions, layout, sampleType, unit, note } = await readColumns(await download(response))
  for (let from = 0; from < functions.length; from += functionsAtOnce) {
    tell({ kind: 'functions', functions: functions.slice(from, from + functionsAtOnce) })
  }
  tell({ kind: 'tree', layout, sampleType, unit, note }, buffersOf(layout))
}

async function download(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const wholeBytes = Number(response.headers.get('content-length')) || undefined
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let loadedBytes = 0
  const reader = response.body?.getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    const piece = await reader?.read()
    if (piece?.value === undefined) break
    pieces.push(piece.value)
    loadedBytes += piece.value.length
    tell({ kind: 'progress', loadedBytes, wholeBytes })
  }
  const bytes = new Uint8Array(loadedBytes)
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
  }
  return bytes
}

function buffersOf(layout: Layout): Transferable[] {
  return Object.values(layout).map((column: Int32Array | Float64Array) => column.buffer)
}

function tell(message: ColumnsMessage, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}
