import { failureClass, type FailureClass } from './failure-class.ts'
import { untold, type ResultSample, type ResultSink } from './result-sink.ts'

/** A measurement of k6: one value of a metric, with [tags](https://grafana.com/docs/k6/latest/using-k6/tags-and-groups/). */
export interface K6Point {
  metric: string
  timeMs: number
  value: number
  /** '' where there is none. */
  tag: (name: string) => string
}

type Phase = 'connectMs' | 'tlsMs' | 'waitMs' | 'downloadMs'
/** Phases of a request; they follow its duration. What is sent goes with what is waited for. */
const phases: Readonly<Record<string, Phase>> = {
  http_req_connecting: 'connectMs',
  http_req_tls_handshaking: 'tlsMs',
  http_req_sending: 'waitMs',
  http_req_waiting: 'waitMs',
  http_req_receiving: 'downloadMs',
}
/** The rest of what belongs to the request of which the duration came. */
const parts = new Set([...Object.keys(phases), 'http_req_blocked', 'http_req_failed'])

/** [Codes of errors](https://grafana.com/docs/k6/latest/javascript-api/error-codes/), by their first ones; the last that fits. */
const errorCodes: readonly (readonly [number, FailureClass])[] = [
  [1000, 'other'],
  [1050, 'timeout'],
  [1051, 'other'],
  [1100, 'dns'],
  [1200, 'reset'],
  [1202, 'connect'],
  [1211, 'timeout'],
  [1212, 'connect'],
  [1220, 'reset'],
  [1221, 'connect'],
  [1300, 'tls'],
  [1400, 'status_4xx'],
  [1500, 'status_5xx'],
  [1600, 'protocol'],
  [1700, 'other'],
]

/**
 * Makes requests and groups of the points that k6 writes for them one after the other. A response time is k6's
 * `http_req_duration`: without the time to connect.
 */
export class K6Points {
  readonly #sink: ResultSink
  #request: ResultSample | null = null
  #checks = 0
  #failedChecks = 0
  #dropped = 0
  #hasBytes = false

  constructor(sink: ResultSink) {
    this.#sink = sink
  }

  add(point: K6Point): void {
    const { metric, timeMs, value } = point
    if (parts.has(metric)) return this.#addPart(point)
    this.#flush()
    switch (metric) {
      case 'http_req_duration':
        this.#request = requestOf(point)
        break
      case 'grpc_req_duration':
        this.#sink.sample(grpcCallOf(point))
        break
      case 'group_duration':
        this.#sink.sample(groupOf(point))
        break
      case 'vus':
        this.#sink.users('', timeMs, Math.round(value))
        break
      case 'iterations':
        this.#sink.iterations(timeMs, Math.round(value))
        break
      case 'dropped_iterations':
        this.#dropped += value
        break
      case 'checks':
        this.#checks++
        if (value === 0) this.#failedChecks++
        break
      case 'data_received':
        this.#hasBytes = true
    }
  }

  /** What is known at the end only. */
  end(): void {
    this.#flush()
    if (this.#dropped > 0)
      this.#sink.note(
        `${this.#dropped} iterations did not begin: k6 leaves out what is due while all of its users are busy.`,
      )
    if (this.#hasBytes)
      this.#sink.note('k6 counts bytes by iteration and not by request, so requests have none here.')
    if (this.#failedChecks > 0)
      this.#sink.note(
        `${this.#failedChecks} of ${this.#checks} checks of k6 failed; they are no failures of requests.`,
      )
  }

  #addPart(point: K6Point): void {
    const request = this.#request
    if (request === null) return
    const phase = phases[point.metric]
    if (phase !== undefined) request[phase] += point.value
    // What k6 says comes before what its tags say.
    else if (point.metric === 'http_req_failed') request.failure = point.value > 0 ? failureOf(point) : null
  }

  #flush(): void {
    if (this.#request !== null) this.#sink.sample(this.#request)
    this.#request = null
  }
}

function requestOf(point: K6Point): ResultSample {
  const { tag } = point
  const status = statusOf(tag('status'))
  const expected = tag('expected_response')
  const hasFailed =
    expected === '' ? tag('error_code') !== '' || status === 0 || status >= 400 : expected === 'false'
  return {
    ...untold,
    type: 'http_request',
    path: pathOf(tag('group')),
    name:
      [tag('method'), tag('name') || tag('url')].filter((word) => word !== '').join(' ') || 'HTTP request',
    endMs: point.timeMs,
    elapsedMs: point.value,
    status,
    failure: hasFailed ? failureOf(point) : null,
    url: tag('url'),
    ...userOf(point),
  }
}

/** Told where the system tags `vu` and `iter` are on. */
function userOf({ tag }: K6Point): Pick<ResultSample, 'user' | 'iteration'> {
  const [user, iteration] = [tag('vu'), tag('iter')]
  return { ...(user === '' ? {} : { user }), ...(iteration === '' ? {} : { iteration: Number(iteration) }) }
}

function grpcCallOf(point: K6Point): ResultSample {
  const { tag } = point
  return {
    ...untold,
    type: 'http_request',
    path: pathOf(tag('group')),
    name: tag('name') || tag('url') || 'gRPC call',
    endMs: point.timeMs,
    elapsedMs: point.value,
    url: tag('url'),
    ...userOf(point),
    // Statuses of gRPC: 0 is good.
    failure:
      tag('status') === '0' || tag('status') === ''
        ? null
        : { class: 'other', message: `gRPC status ${tag('status')}`, method: 'POST', url: tag('url') },
  }
}

function groupOf({ tag, timeMs, value }: K6Point): ResultSample {
  const path = pathOf(tag('group'))
  return {
    ...untold,
    type: 'container',
    path: path.slice(0, -1),
    name: path.at(-1) ?? 'group',
    endMs: timeMs,
    elapsedMs: value,
  }
}

function failureOf({ tag }: K6Point): NonNullable<ResultSample['failure']> {
  const status = statusOf(tag('status'))
  const code = Number(tag('error_code'))
  const words = [tag('status') === '0' ? '' : tag('status'), tag('error')].filter((word) => word !== '')
  return {
    class: errorCodes.findLast(([first]) => code >= first)?.[1] ?? failureClass(status, tag('error')),
    message: words.length === 0 ? 'It failed, and k6 told no more.' : words.join(' '),
    method: tag('method') || 'GET',
    url: tag('url'),
  }
}

function statusOf(text: string): number {
  return /^[1-5]\d\d$/.test(text) ? Number(text) : 0
}

/** `::checkout::pay` */
function pathOf(group: string): string[] {
  return group.split('::').filter((name) => name !== '')
}
