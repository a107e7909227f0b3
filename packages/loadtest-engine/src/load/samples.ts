import type { Exchange, ExchangeBody, Redactor } from '@flamegate/loadtest'
import type { ErrorClass } from '@flamegate/series'
import { cutBody, keepBody } from '../http/kept-body.ts'
import type { Received } from '../response/received.ts'
import type { LoadUser } from './load-user.ts'
import { readRequest } from './wire.ts'

/** Of one action and one class of errors, in one profile of one generator. */
const samplesMax = 5
const bodyCharactersMax = 100_000

/** One of those that failed, without secrets. */
export interface FailureSample {
  profile: number
  /** Place of the action in the list of the run's actions. */
  action: number
  errorClass: ErrorClass
  /** Why, in words. */
  failure: string
  /** Number of the virtual user in its profile, and its iteration, from 0. */
  user: number
  iteration: number
  /** UTC, ISO 8601. */
  at: string
  /** Null where nothing was sent. */
  exchange: Exchange | null
}

/** Keeps the first few failures of each kind, to be looked at. */
export class Samples {
  readonly #counts = new Map<string, number>()
  readonly #profile: number
  readonly #firstAction: number
  readonly #redactor: Redactor
  readonly #onSample: (sample: FailureSample) => void

  constructor(
    profile: number,
    firstAction: number,
    redactor: Redactor,
    onSample: (sample: FailureSample) => void,
  ) {
    this.#profile = profile
    this.#firstAction = firstAction
    this.#redactor = redactor
    this.#onSample = onSample
  }

  keep(
    action: number,
    errorClass: ErrorClass,
    { number, user }: LoadUser,
    failure: string,
    make: (samples: Samples) => Exchange | null,
  ): void {
    const key = `${action} ${errorClass}`
    const count = this.#counts.get(key) ?? 0
    if (count === samplesMax) return
    this.#counts.set(key, count + 1)
    this.#onSample({
      profile: this.#profile,
      action: this.#firstAction + action,
      errorClass,
      failure: this.#redactor.redact(failure),
      user: number,
      iteration: user.iteration,
      at: new Date().toISOString(),
      exchange: make(this),
    })
  }

  /** One that was kept as a check keeps it, which is more of bodies than a load can tell. */
  cut(exchange: Exchange): Exchange {
    const budget = { characters: bodyCharactersMax }
    const cut = <Part extends { body: ExchangeBody | null }>(part: Part): Part =>
      part.body === null ? part : { ...part, body: cutBody(part.body, budget) }
    const { request, response } = exchange
    return { ...exchange, request: cut(request), response: response === null ? null : cut(response) }
  }

  /** `text`: the request as it was sent. */
  exchangeOf(
    method: string,
    url: string,
    text: string,
    received: Received | null,
    totalMs: number,
    error: string | null = null,
  ): Exchange {
    const redactor = this.#redactor
    const { headers, body } = readRequest(text)
    const budget = { characters: bodyCharactersMax }
    const redact = (value: string) => redactor.redact(value)
    const shown = (list: readonly { name: string; value: string }[]) =>
      list.map(({ name, value }) => ({ name: redact(name), value: redact(value) }))
    const sent = headers.map(([name, value]) => ({ name, value }))
    const typeOf = sent.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? null
    return {
      startedAt: new Date(Date.now() - totalMs).toISOString(),
      request: {
        method,
        url: redact(url),
        httpVersion: 'HTTP/1.1',
        headers: shown(sent),
        body:
          body === '' ? null : keepBody(Buffer.from(body, 'latin1'), typeOf, body.length, redactor, budget),
      },
      response:
        received === null
          ? null
          : {
              status: received.status ?? 0,
              statusText: redact(received.statusText),
              httpVersion: 'HTTP/1.1',
              headers: shown(received.headers),
              body:
                received.body.length === 0
                  ? null
                  : keepBody(received.body, received.header('content-type'), null, redactor, budget),
            },
      error: error === null ? null : redact(error),
      timings: {
        blockedMs: null,
        dnsMs: null,
        connectMs: null,
        tlsMs: null,
        sendMs: null,
        firstByteMs: null,
        downloadMs: null,
        totalMs,
      },
      remoteAddress: null,
    }
  }
}
