import { setTimeout as sleep } from 'node:timers/promises'
import { ApiProblem, ApiUnreachable, type Client } from '@flamegate/client'
import type { OutputOf } from '@flamegate/contract'
import { addPageTrace } from '@flamegate/contract/bench-runs/add-page-trace'
import { pageTraceLimits } from '@flamegate/contract/bench-runs/page-trace-limits'
import type { KeptPageTrace } from '@flamegate/loadtest-engine'

/** Of one agent. */
const bytesMax = 60_000_000
const attemptsMax = 10
const retryMs = 1_000

type Presigned = NonNullable<OutputOf<typeof addPageTrace>['upload']>

/** Sends the traces of page actions of a shard, one after the other, each as soon as it is there. */
export class TraceUploads {
  readonly #client: Client
  readonly #shardId: string
  readonly #log: (words: string) => void
  #bytes = 0
  #sequence = 0
  #isOver = false
  #sending: Promise<void> = Promise.resolve()

  /** `log` hears of each trace that is not sent, and why. */
  constructor(client: Client, shardId: string, log: (words: string) => void) {
    this.#client = client
    this.#shardId = shardId
    this.#log = log
  }

  add(trace: KeptPageTrace): void {
    const { length } = trace.bytes
    if (this.#isOver || this.#sequence === pageTraceLimits.perAgent) return
    if (length > pageTraceLimits.bytes || this.#bytes + length > bytesMax)
      return this.#log(`a trace of a page was left out: it has ${Math.round(length / 1e6)} MB`)
    this.#bytes += length
    const sequence = this.#sequence++
    this.#sending = this.#sending.then(() => this.#send(trace, sequence))
  }

  /** Resolves when all that came is with the platform, or never will be. */
  end(): Promise<void> {
    return this.#sending
  }

  /** Nobody waits for the rest. */
  stop(): void {
    this.#isOver = true
  }

  async #send({ action, hasFailed, bytes }: KeptPageTrace, sequence: number): Promise<void> {
    const about = {
      shard_id: this.#shardId,
      sequence,
      action,
      has_failed: hasFailed,
      size_bytes: bytes.length,
    }
    for (let attempt = 0; attempt < attemptsMax && !this.#isOver; attempt++) {
      try {
        // oxlint-disable no-await-in-loop -- one after the other
        const { outcome, upload } = await this.#client.call(addPageTrace, about)
        if (outcome === 'stored') return
        if (upload === null) {
          const why = outcome === 'full' ? 'there is no more room for files' : 'the run has ended'
          return this.#giveUp(`no more traces of pages are sent: ${why}`)
        }
        // That it came is told by the next call.
        if (await isSent(upload, bytes)) continue
      } catch (error) {
        if (!isPassing(error))
          return this.#giveUp(
            `traces of pages could not be sent: ${error instanceof Error ? error.message : String(error)}`,
          )
      }
      await sleep(retryMs)
      // oxlint-enable no-await-in-loop
    }
    if (!this.#isOver) this.#log('a trace of a page could not be sent')
  }

  #giveUp(words: string): void {
    this.stop()
    this.#log(words)
  }
}

async function isSent({ method, url, headers }: Presigned, body: Uint8Array): Promise<boolean> {
  try {
    return (await fetch(url, { method, headers, body: Buffer.from(body) })).ok
  } catch {
    return false
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiUnreachable ||
    (error instanceof ApiProblem && (error.status === 429 || error.status >= 500))
  )
}
