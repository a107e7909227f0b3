import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ApiProblem, ApiUnreachable, type Client } from '@flamegate/client'
import { addRequestLog } from '@flamegate/contract/bench-runs/add-request-log'

/** Of rows as they come; a tenth to a third of it is sent. */
const pieceBytes = 300_000
/** What has come waits no longer for more. */
const pieceMs = 10_000
/** Of rows that the platform could not be told yet, packed. */
const defaultWaitingBytesMax = 64_000_000
const retryMs = 1_000

const pack = promisify(gzip)

interface Piece {
  sequence: number
  content: Buffer
  rowsLost: number
}

/**
 * Sends the log of the requests of a shard while it grows: numbered pieces, one after the other, each again until the platform has
 * it. Where it cannot, as much waits as there is room for, and how many rows are lost is told with the next piece.
 */
export class RequestUploads {
  readonly #client: Client
  readonly #shardId: string
  readonly #onEnd: (words: string) => void
  readonly #waitingBytesMax: number
  #frames: Uint8Array[] = []
  #frameBytes = 0
  #frameRows = 0
  #timer: NodeJS.Timeout | undefined
  #pieces: Piece[] = []
  #waitingBytes = 0
  #sequence = 0
  #rowsLost = 0
  #isOver = false
  /** Pieces are packed and sent in their order. */
  #packing: Promise<void> = Promise.resolve()
  #sending: Promise<void> | undefined

  /** `onEnd` hears why no more is sent, where that is before the end. */
  constructor(
    client: Client,
    shardId: string,
    onEnd: (words: string) => void,
    { waitingBytesMax = defaultWaitingBytesMax } = {},
  ) {
    this.#waitingBytesMax = waitingBytesMax
    this.#client = client
    this.#shardId = shardId
    this.#onEnd = onEnd
  }

  add(frame: Uint8Array, rows: number): void {
    if (this.#isOver) return
    this.#frames.push(frame)
    this.#frameBytes += frame.length
    this.#frameRows += rows
    if (this.#frameBytes >= pieceBytes) this.#close()
    else this.#timer ??= setTimeout(() => this.#close(), pieceMs)
  }

  /** Rows that will never come. */
  lose(rows: number): void {
    this.#rowsLost += rows
  }

  /** Resolves when all that came is with the platform, or never will be. */
  async end(): Promise<void> {
    this.#close()
    await this.#packing
    // There is no next piece that could tell it.
    if (this.#rowsLost > 0 && !this.#isOver) this.#queue(await pack(''))
    await this.#sending
  }

  /** Nobody waits for the rest. */
  stop(): void {
    this.#isOver = true
    this.#pieces = []
    clearTimeout(this.#timer)
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#frames.length === 0) return
    const bytes = Buffer.concat(this.#frames)
    const rows = this.#frameRows
    this.#frames = []
    this.#frameBytes = 0
    this.#frameRows = 0
    this.#packing = this.#packing.then(() => this.#keep(bytes, rows))
  }

  async #keep(bytes: Buffer, rows: number): Promise<void> {
    // Of rows that differ in numbers only, most of what can be saved is saved at once.
    const content = await pack(bytes, { level: 1 })
    if (this.#isOver) return
    if (this.#waitingBytes + content.length > this.#waitingBytesMax) this.#rowsLost += rows
    else this.#queue(content)
  }

  #queue(content: Buffer): void {
    this.#pieces.push({ sequence: this.#sequence++, content, rowsLost: this.#rowsLost })
    this.#rowsLost = 0
    this.#waitingBytes += content.length
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const [piece] = this.#pieces
      if (piece === undefined) return
      // oxlint-disable no-await-in-loop -- one after the other
      if (await this.#send(piece)) {
        this.#pieces.shift()
        this.#waitingBytes -= piece.content.length
      } else await new Promise((go) => setTimeout(go, retryMs))
      // oxlint-enable no-await-in-loop
    }
  }

  /** False when it has to be sent again. */
  async #send({ sequence, content, rowsLost }: Piece): Promise<boolean> {
    try {
      const { outcome } = await this.#client.call(addRequestLog, {
        shard_id: this.#shardId,
        sequence,
        content: content.toString('base64'),
        rows_lost: rowsLost,
      })
      if (outcome === 'full') this.#giveUp('there is no more room for the files of requests')
      if (outcome === 'gone') this.#giveUp('the run has ended, and takes no more rows of requests')
      return true
    } catch (error) {
      if (error instanceof ApiUnreachable) return false
      if (error instanceof ApiProblem && (error.status === 429 || error.status >= 500)) return false
      this.#giveUp(`rows of requests could not be sent: ${wordsOf(error)}`)
      return true
    }
  }

  #giveUp(words: string): void {
    this.stop()
    this.#onEnd(words)
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
