import type { FailureClass } from './failure-class.ts'
import type { ResultSample } from './result-sink.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Of one action and one class of errors, and of all. */
const samplesOfKindMax = 5
const samplesMax = 500
const charactersMax = 2000

/** A failure that is kept to be looked at. */
export interface KeptFailure {
  action: number
  errorClass: FailureClass
  message: string
  at: Date
  /** As validations keep theirs; null where nothing is told of it. */
  exchange: Record<string, unknown> | null
}

/** Keeps the first few failures of each kind, without secrets. */
export class FailureSamples {
  readonly #counts = new Map<string, number>()
  readonly #onKept: (failure: KeptFailure) => void
  #kept = 0

  constructor(onKept: (failure: KeptFailure) => void) {
    this.#onKept = onKept
  }

  keep(action: number, sample: ResultSample): void {
    const { failure } = sample
    // A transaction fails because of what it holds.
    if (failure === null || sample.type === 'container' || this.#kept === samplesMax) return
    const kind = `${action} ${failure.class}`
    const count = this.#counts.get(kind) ?? 0
    if (count === samplesOfKindMax) return
    this.#counts.set(kind, count + 1)
    this.#kept++
    const message = shown(failure.message)
    this.#onKept({
      action,
      errorClass: failure.class,
      message,
      at: new Date(sample.endMs),
      exchange: failure.url === '' ? null : exchangeOf(sample, { ...failure, message }),
    })
  }
}

function shown(text: string): string {
  const cut = text.slice(0, charactersMax)
  return withoutSecrets(cut === text ? text : `${cut}…`)
}

/** As much of it as is told: the address, and the status. */
function exchangeOf(
  { endMs, elapsedMs, status }: ResultSample,
  { method, url, message }: NonNullable<ResultSample['failure']>,
): Record<string, unknown> {
  return {
    startedAt: new Date(endMs - elapsedMs).toISOString(),
    request: { method: method.slice(0, 40), url: shown(url), httpVersion: null, headers: [], body: null },
    response: status === 0 ? null : { status, statusText: '', httpVersion: null, headers: [], body: null },
    error: status === 0 ? message : null,
    timings: {
      blockedMs: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      sendMs: null,
      firstByteMs: null,
      downloadMs: null,
      totalMs: elapsedMs,
    },
    remoteAddress: null,
  }
}
