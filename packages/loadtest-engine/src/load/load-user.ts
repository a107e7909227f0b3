import { ActionFailure, UserEnded, wordsOf } from '../action-failure.ts'
import { decodeBody } from '../http/decode-body.ts'
import { isRedirect, redirected, redirectUrl } from '../http/follow.ts'
import { idempotent } from '../http/http-client.ts'
import { errorClassOf, networkWords, NotSent } from '../http/network-words.ts'
import type { ReplayedExchange } from '../ports.ts'
import { ResultDraft } from '../program/result-draft.ts'
import type { Step, Told } from '../program/step.ts'
import type { User } from '../program/user.ts'
import { readHead, Received } from '../response/received.ts'
import { checkResponse } from '../steps/check-response.ts'
import { failureInside } from '../steps/containers.ts'
import { credentialsOf, judgeStatus, loseAll, originOf, transportTo } from '../steps/http-request.ts'
import type { ErrorClass } from '@flamegate/series'
import { LoadConnection, OneRequest } from './load-connection.ts'
import type { LoadProgram, PlainRequest } from './load-program.ts'
import type { Origin } from './origin.ts'
import type { ActionRecorder } from './request-log.ts'
import {
  AnswerTooLarge,
  hasContentEncoding,
  hasFreshness,
  hasLocation,
  hasOtherCharset,
  hasSetCookie,
  NoHttp,
} from './response-parser.ts'
import type { ResponseParser } from './response-parser.ts'
import { SlowConnection } from './slow-connection.ts'
import { Timed } from './timer-wheel.ts'
import { NotPlain, readRequest, writeRequest } from './wire.ts'
import type { Wire } from './wire.ts'

/** Steps after which others get their turn, also where none of them waits for anything. */
const stepsInARow = 200
const decodedBytesMax = 64_000_000

/** What a user tells to whoever runs it. */
export interface LoadUserObserver {
  /** An iteration is over. The user goes on with the next one when `beginIteration` is called. */
  iterationEnded: (user: LoadUser, hasFailed: boolean, now: number) => void
  /** It ends, closed by itself. `reason`: why, where it was not asked to. */
  ended: (user: LoadUser, reason: UserEnded | null) => void
  /** Calls back in a later turn of the event loop. */
  later: (user: LoadUser) => void
}

/** What comes of an action, where nobody reads more of it than whether and why it failed. */
class BriefTold implements Told {
  readonly isBrief = true
  failure: string | null = null
  errorClass: ErrorClass | null = null

  fail(words: string, errorClass: ErrorClass): void {
    this.failure ??= words
    this.errorClass ??= errorClass
  }
  say(): void {}
  set(): void {}
  asserted(): void {}
  extracted(): void {}
}

/** An action that has others inside it, while these are done; the outermost one is the iteration. */
class Frame extends BriefTold {
  step: Step | null = null
  next: () => readonly Step[] | undefined = () => undefined
  steps: readonly Step[] = []
  at = 0
  startedAt = 0
  intendedAt = 0
  passed = 0
  failed = 0
}

/** A request of an action under way, with the redirects that it led to. One for each user, used again and again. */
class Exchange extends BriefTold {
  request: PlainRequest | null = null
  method = ''
  /** Null: of the server of the action. */
  url: URL | null = null
  target = ''
  text = ''
  origin: Origin | null = null
  timeoutMs = 0
  isRepeated = false
  redirects = 0
  /** Answers that redirected, the newest first. */
  earlier: Received[] | null = null
  /** The last one, where somebody looked into it. */
  received: Received | null = null
  firstSentAt = -1
  sentBytes = 0
  receivedBytes = 0
  opened = 0
  dnsMs = 0
  connectMs = 0
  tlsMs = 0
  waitMs = 0
  downloadMs = 0
}

const none: readonly Step[] = []
const nothingRead = Buffer.alloc(0)

/**
 * One virtual user under load: goes through the same compiled steps as a check, as a state machine that never waits. Plain requests
 * and waiting cost it no promise, stream, closure or timer; what else there is, is done by the steps of the check.
 */
export class LoadUser extends Timed {
  readonly user: User
  readonly number: number
  /** It ends at the next step, or at the end of the iteration. */
  stopsAt: 'step' | 'iteration' | null = null
  /** When its next action was to begin, as performance.now() tells it. */
  #intendedAt = 0
  readonly #program: LoadProgram
  /** Of all that holds no others. */
  readonly #recorder: ActionRecorder
  readonly #observer: LoadUserObserver
  readonly #frames: Frame[] = [new Frame()]
  #depth = 0
  #exchange: Exchange | null = null
  #step: Step | null = null
  #stepStartedAt = 0
  #connection: LoadConnection | null = null
  /** To other origins than that of the last request. */
  #others: LoadConnection[] | null = null
  #isEnded = false
  #hasBegun = false
  #isAdvancing = false
  /** Steps that were done as a check does them. */
  #settled = 0
  /** For a moment, for the next iteration, for an arrival that needs it, or for what comes of a step. */
  #waits: 'no' | 'step' | 'iteration' | 'arrival' | 'answer' = 'no'

  constructor(number: number, user: User, program: LoadProgram, observer: LoadUserObserver) {
    super()
    this.number = number
    this.user = user
    this.#program = program
    this.#recorder = program.logged?.recorderFor(this) ?? program.recorder
    this.#observer = observer
  }

  /** Address of the plain request that is recorded; empty where it is none. */
  get askedUrl(): string {
    const exchange = this.#exchange
    return exchange === null || exchange.request === null ? '' : addressOf(exchange, exchange.request)
  }

  /** Why the plain request that is recorded failed; null where it did not. */
  get failureWords(): string | null {
    return this.#exchange?.failure ?? null
  }

  /** `intendedAt`: when it should have begun. Waits where the pacing of the last one asks for it. */
  beginIteration(index: number, intendedAt: number, now: number): void {
    const { pacedUntil } = this.user
    if (pacedUntil > now) {
      this.user.iteration = index
      this.#waits = 'iteration'
      return this.#program.wheel.add(this, pacedUntil)
    }
    this.#enter(index, Math.max(intendedAt, pacedUntil), now)
  }

  /** It ends as soon as it may. */
  stop(at: 'step' | 'iteration'): void {
    if (this.#isEnded) return
    this.stopsAt = this.stopsAt === 'step' ? 'step' : at
    if (
      this.#waits === 'arrival' ||
      this.#waits === 'iteration' ||
      (this.#waits === 'step' && this.stopsAt === 'step')
    ) {
      this.#program.wheel.cancel(this)
      this.#end(null)
    }
  }

  /** It ends now, in the middle of whatever it does. True where an action had begun that did not get to its end. */
  abort(now: number): boolean {
    if (this.#isEnded) return false
    const step = this.#step
    this.#program.wheel.cancel(this)
    if (step !== null && this.#waits === 'answer') {
      const exchange = this.#exchange
      if (exchange !== null && exchange.request !== null) {
        exchange.fail('The run ended before the answer came.', 'other')
        this.#recordExchange(exchange, step, 0, -1, now)
      } else this.#recordPlainly(step, 'other', 'The run ended before it was done.', -1, now)
    }
    this.#end(null)
    return step !== null
  }

  /** It has done all that it had to do. */
  finish(): void {
    this.#end(null)
  }

  get nextIteration(): number {
    return this.#hasBegun ? this.user.iteration + 1 : 0
  }

  /** Goes on, in a turn of its own. */
  resume(): void {
    this.#advance(performance.now())
  }

  onDue(now: number, due: number): void {
    const waited = this.#waits
    this.#waits = 'no'
    this.#program.noteLag(now - due)
    if (waited === 'iteration') this.#enter(this.user.iteration, due, now)
    else {
      this.#intendedAt = due
      this.#advance(now)
    }
  }

  #enter(index: number, intendedAt: number, now: number): void {
    this.#intendedAt = intendedAt
    this.#hasBegun = true
    try {
      this.user.enterIteration(index, now)
    } catch (error) {
      if (error instanceof UserEnded) return this.#end(error)
      throw error
    }
    this.#depth = 0
    const frame = this.#frame(0)
    frame.step = null
    frame.steps = this.#program.steps
    frame.at = 0
    frame.failed = this.user.failed
    this.#waits = 'no'
    // Otherwise it goes on by itself.
    if (!this.#isAdvancing) this.#advance(now)
  }

  #frame(depth: number): Frame {
    return (this.#frames[depth] ??= new Frame())
  }

  #advance(now: number): void {
    this.#isAdvancing = true
    this.#doSteps(now)
    this.#isAdvancing = false
  }

  /** Does what can be done at once, up to something that has to be waited for. */
  #doSteps(now: number): void {
    let left = stepsInARow
    while (!this.#isEnded) {
      if (left-- === 0) return this.#observer.later(this)
      const frame = this.#frame(this.#depth)
      const step = frame.steps[frame.at]
      if (step !== undefined) {
        if (this.stopsAt === 'step') return this.#end(null)
        frame.at++
        if (step.isEnabled && !this.#begin(step, now)) return
      } else if (frame.step === null) {
        this.#endIteration(frame, now)
        if (this.#waits !== 'no') return
      } else this.#nextPass(frame, frame.step, now)
    }
  }

  #endIteration(frame: Frame, now: number): void {
    const hasFailed = this.user.failed > frame.failed
    if (this.stopsAt !== null) {
      this.#program.countIteration(hasFailed)
      return this.#end(null)
    }
    this.#waits = 'arrival'
    this.#observer.iterationEnded(this, hasFailed, now)
  }

  #nextPass(frame: Frame, step: Step, now: number): void {
    try {
      const steps = frame.next()
      if (steps !== undefined) {
        frame.steps = steps
        frame.at = 0
        return
      }
      const failure = failureInside(this.user.failed - frame.failed, this.user.passed - frame.passed)
      if (failure !== null) frame.fail(failure, 'other')
    } catch (error) {
      this.#failFrame(frame, step, error)
    }
    this.#closeFrame(frame, step, now)
  }

  /** By itself: what fails inside is counted there. */
  #failFrame(frame: Frame, step: Step, error: unknown): void {
    if (!(error instanceof ActionFailure)) throw error
    frame.fail(error.message, 'other')
    this.user.failed++
    this.#program.samples.keep(step.index, 'other', this, error.message, () => null)
  }

  #closeFrame(frame: Frame, step: Step, now: number): void {
    this.#depth--
    const { recorder } = this.#program
    recorder.record(step.index, {
      ...nothing,
      errorClass: frame.failure === null ? null : (frame.errorClass ?? 'other'),
      serviceMs: now - frame.startedAt,
      responseMs: now - frame.intendedAt,
    })
  }

  /** True where it is done already. */
  #begin(step: Step, now: number): boolean {
    const { does } = step
    switch (does.kind) {
      case 'wait': {
        this.user.passed++
        const ms = does.waitMs(this.user)
        if (ms <= 0) return true
        this.#waits = 'step'
        this.#step = null
        this.#program.wheel.add(this, now + ms)
        return false
      }
      case 'now': {
        told.failure = null
        told.errorClass = null
        try {
          does.run(this.user, told)
        } catch (error) {
          if (!(error instanceof ActionFailure)) throw error
          told.fail(error.message, 'other')
        }
        this.#recordPlainly(step, told.errorClass, told.failure, 0, now)
        return true
      }
      case 'around': {
        const frame = this.#frame(++this.#depth)
        frame.step = step
        frame.failure = null
        frame.errorClass = null
        frame.startedAt = now
        frame.intendedAt = this.#intendedAt
        frame.passed = this.user.passed
        frame.failed = this.user.failed
        frame.steps = none
        frame.at = 0
        try {
          frame.next = does.open(this.user, frame)
        } catch (error) {
          this.#failFrame(frame, step, error)
          this.#closeFrame(frame, step, now)
        }
        return true
      }
      default: {
        this.#step = step
        this.#stepStartedAt = now
        const plain = this.#program.plain[step.index]
        return plain === undefined ? this.#runStep(step, now) : this.#ask(plain, step, now)
      }
    }
  }

  /** As a check does it. */
  #runStep(step: Step, now: number): boolean {
    if (step.does.kind !== 'act') return true
    const draft = new ResultDraft()
    const finish = (error: unknown, at: number) => {
      if (error !== undefined) {
        draft.fail(wordsOf(error), 'other')
      }
      const isMeasured = !askedNobody(step, draft)
      if (!isMeasured && draft.failure === null) {
        this.user.passed++
        return
      }
      const hasAnswer = isMeasured && (draft.failure === null || draft.status !== null)
      // What a browser takes to open a page, or a connection, is no time of the target.
      const until = (hasAnswer ? draft.answeredAt : null) ?? at - draft.preparationMs
      const serviceMs = hasAnswer ? until - (draft.sentAt ?? now) : -1
      this.#recordPlainly(step, draft.errorClass, draft.failure, serviceMs, until, draft)
    }
    try {
      const done = step.does.run(this.user, draft)
      if (done === undefined) finish(undefined, now)
      else {
        this.#waits = 'answer'
        const settle = (error: unknown) => {
          if (this.#isEnded) return
          this.#waits = 'no'
          if (error instanceof UserEnded) return this.#end(error)
          const at = performance.now()
          finish(error, at)
          this.#intendedAt = at
          // Some wait for nothing but promises, which let nobody else have their turn.
          if (++this.#settled % stepsInARow === 0) this.#observer.later(this)
          else this.#advance(at)
        }
        done.then(() => settle(undefined), settle)
        return false
      }
    } catch (error) {
      if (!(error instanceof ActionFailure)) throw error
      finish(error, now)
    }
    return true
  }

  #recordPlainly(
    step: Step,
    errorClass: ErrorClass | null,
    failure: string | null,
    serviceMs: number,
    now: number,
    draft: ResultDraft | null = null,
  ): void {
    this.user[failure === null ? 'passed' : 'failed']++
    Object.assign(recorded, nothing)
    recorded.status = draft?.status ?? 0
    recorded.errorClass = failure === null ? null : (errorClass ?? 'other')
    recorded.serviceMs = serviceMs
    recorded.responseMs = now - this.#intendedAt
    recorded.sentBytes = draft?.sentBytes ?? 0
    recorded.receivedBytes = draft?.receivedBytes ?? 0
    for (const each of draft?.exchanges ?? []) addTimings(each)
    this.#recorder.record(step.index, recorded, draft?.exchanges[0]?.exchange.request.url ?? '', failure)
    if (failure === null) return
    this.#program.samples.keep(step.index, errorClass ?? 'other', this, failure, (samples) => {
      const main = draft?.exchanges[0]
      return main === undefined ? null : samples.cut(main.exchange)
    })
  }

  #ask(plain: PlainRequest, step: Step, now: number): boolean {
    let wire: Wire
    try {
      wire = plain.writer.write(this.user)
      const cache = this.user.httpIfUsed?.cache ?? null
      // What the cache has is asked about, or not asked for at all.
      if (cache !== null && !cache.isEmpty && cache.has((wire.url?.origin ?? plain.base) + wire.target))
        return this.#runStep(step, now)
    } catch (error) {
      if (error instanceof NotPlain) return this.#runStep(step, now)
      if (!(error instanceof ActionFailure)) throw error
      this.#recordPlainly(step, 'other', error.message, -1, now)
      return true
    }
    const exchange = (this.#exchange ??= new Exchange())
    exchange.request = plain
    exchange.method = plain.parts.action.method
    exchange.timeoutMs = plain.timeoutMs
    exchange.isRepeated = false
    exchange.redirects = 0
    exchange.earlier = null
    exchange.received = null
    exchange.failure = null
    exchange.errorClass = null
    exchange.firstSentAt = -1
    exchange.sentBytes = 0
    exchange.receivedBytes = 0
    exchange.opened = 0
    exchange.dnsMs = 0
    exchange.connectMs = 0
    exchange.tlsMs = 0
    exchange.waitMs = 0
    exchange.downloadMs = 0
    const origin =
      wire.url === null ? plain.origin : this.#program.origins.of(wire.url, plain.server.transport)
    if (origin === null) return this.#runStep(step, now)
    this.#waits = 'answer'
    this.#send(exchange, wire, origin, now)
    return false
  }

  #send(exchange: Exchange, wire: Wire, origin: Origin, now: number): void {
    exchange.url = wire.url
    exchange.target = wire.target
    exchange.text = wire.text
    exchange.origin = origin
    this.#sendAgain(exchange, origin, now)
  }

  #sendAgain(exchange: Exchange, origin: Origin, now: number): void {
    let connection = this.#connection
    if (connection === null || connection.origin !== origin || !connection.isOpen)
      connection = this.#takeOther(origin)
    if (connection !== null) return this.#write(exchange, connection, now)
    connection = this.#newConnection(origin)
    this.#connection = connection
    exchange.opened++
    connection.open(now)
  }

  #newConnection(origin: Origin): LoadConnection {
    const { wheel, count } = this.#program
    const heard = origin.transport.keepsAlive ? this : new OneRequest(this)
    const line = this.user.program.network === null ? null : this.user.way.line
    return line === null
      ? new LoadConnection(origin, heard, wheel, count)
      : new SlowConnection(origin, heard, wheel, count, line)
  }

  /** Makes an open connection to the origin the current one; null where there is none. */
  #takeOther(origin: Origin): LoadConnection | null {
    const current = this.#connection
    if (current !== null && current.isOpen) (this.#others ??= []).push(current)
    this.#connection = null
    if (this.#others === null) return null
    this.#others = this.#others.filter(({ isOpen }) => isOpen)
    const found = this.#others.find((each) => each.origin === origin) ?? null
    if (found !== null) this.#others = this.#others.filter((each) => each !== found)
    this.#connection = found
    return found
  }

  #write(exchange: Exchange, connection: LoadConnection, now: number): void {
    if (exchange.firstSentAt < 0) exchange.firstSentAt = now
    exchange.sentBytes += exchange.text.length
    const known = exchange.redirects === 0 ? (exchange.request?.knownHead ?? null) : null
    connection.send(exchange.text, exchange.method === 'HEAD', known, exchange.timeoutMs, now)
  }

  onOpen(connection: LoadConnection, now: number): void {
    const exchange = this.#exchange
    if (exchange === null) return
    exchange.dnsMs += connection.dnsMs
    exchange.connectMs += connection.connectMs
    exchange.tlsMs += connection.tlsMs
    this.#write(exchange, connection, now)
  }

  wantsBody(parser: ResponseParser): boolean {
    const plain = this.#exchange?.request
    if (!plain) return false
    return (
      plain.needsBody ||
      this.#program.keepsAnswers ||
      (parser.status >= 400 && !plain.parts.hasStatusAssertion) ||
      this.#isForCache(parser)
    )
  }

  #isForCache(parser: ResponseParser): boolean {
    return (
      (parser.marks & hasFreshness) !== 0 &&
      this.#program.keepsCache &&
      this.#exchange?.method === 'GET' &&
      !/\ncache-control:[^\r]*no-store/i.test(parser.head)
    )
  }

  onFailure(connection: LoadConnection, error: unknown, now: number): void {
    const exchange = this.#exchange
    const step = this.#step
    if (exchange === null || step === null || exchange.request === null) return
    const { origin } = exchange
    // A connection that was open already, and ended without a word: once more, as browsers and checks do it.
    const isUnheard = connection.isUsed && connection.isUnheard && errorClassOf(error) === 'reset'
    if (
      origin !== null &&
      isUnheard &&
      !exchange.isRepeated &&
      (error instanceof NotSent || idempotent.test(exchange.method))
    ) {
      exchange.isRepeated = true
      return this.#sendAgain(exchange, origin, now)
    }
    const isProtocol = error instanceof NoHttp || error instanceof AnswerTooLarge
    const place = `${exchange.method} ${origin?.authority ?? ''}`
    exchange.fail(
      isProtocol ? `${place}: ${wordsOf(error)}` : networkWords(error, place),
      isProtocol ? 'protocol' : errorClassOf(error),
    )
    loseAll(exchange.request.parts.action, this.user)
    this.user.lastReceived = null
    this.#finish(exchange, step, 0, -1, now)
  }

  onAnswer(connection: LoadConnection, now: number): void {
    const exchange = this.#exchange
    const step = this.#step
    const plain = exchange?.request ?? null
    if (exchange === null || step === null || plain === null) return
    const { parser } = connection
    const { status, marks } = parser
    exchange.receivedBytes += parser.receivedBytes
    exchange.waitMs += connection.firstByteAt - connection.sentAt
    exchange.downloadMs += now - connection.firstByteAt
    if ((marks & hasSetCookie) !== 0 && this.#program.keepsCookies) this.#takeCookies(exchange, parser)
    const { redirects } = plain.parts.action
    if ((marks & hasLocation) !== 0 && redirects.follow && isRedirect(status))
      return this.#redirect(exchange, plain, step, parser, now)
    const isForCache = (marks & hasFreshness) !== 0 && this.#isForCache(parser)
    const wantsAnswer =
      plain.hasChecks ||
      this.#program.keepsAnswers ||
      isForCache ||
      (status >= 400 && !plain.parts.hasStatusAssertion)
    const isEncoded = (marks & hasContentEncoding) !== 0
    const isSeen = this.#program.keepsAnswers || isForCache || isEncoded || (marks & hasOtherCharset) !== 0
    if (!wantsAnswer || (!isSeen && plain.quickChecks?.pass(parser, this.user) === true))
      return this.#finish(exchange, step, status, now - exchange.firstSentAt, now)
    const { head } = parser
    const isKept = isEncoded || isForCache || this.#program.keepsAnswers
    const body = this.wantsBody(parser) ? (isKept ? parser.takeBody() : parser.viewBody()) : nothingRead
    if (isEncoded && body.length > 0) void this.#decode(exchange, step, status, head, body, isForCache, now)
    else this.#judge(exchange, plain, step, status, head, body, isForCache, now, now)
  }

  /** Undoes gzip and the like, in another thread; the time of the answer is known already. */
  async #decode(
    exchange: Exchange,
    step: Step,
    status: number,
    head: string,
    body: Buffer,
    isForCache: boolean,
    answeredAt: number,
  ): Promise<void> {
    const plain = exchange.request
    if (plain === null) return
    const encodings = readHead(head)
      .filter(({ name }) => name.toLowerCase() === 'content-encoding')
      .map(({ value }) => value)
      .join(',')
    let decoded
    try {
      decoded = await decodeBody(body, encodings, decodedBytesMax)
    } catch (error) {
      if (this.#isEnded) return
      exchange.fail(wordsOf(error), 'protocol')
      loseAll(plain.parts.action, this.user)
      return this.#finish(exchange, step, status, answeredAt - exchange.firstSentAt, performance.now())
    }
    if (this.#isEnded) return
    this.#judge(exchange, plain, step, status, head, decoded, isForCache, answeredAt, performance.now())
  }

  #judge(
    exchange: Exchange,
    plain: PlainRequest,
    step: Step,
    status: number,
    head: string,
    body: Buffer,
    isForCache: boolean,
    answeredAt: number,
    now: number,
  ): void {
    const url = addressOf(exchange, plain)
    const received = new Received({
      url,
      status,
      headers: head,
      body,
      durationMs: answeredAt - this.#stepStartedAt,
    })
    exchange.received = received
    if (this.#program.keepsAnswers) this.user.lastReceived = received
    if (isForCache)
      this.user.http.cache?.keep(
        {
          method: exchange.method,
          url,
          headers: [['host', exchange.origin?.authority ?? ''], ...readRequest(exchange.text).headers],
        },
        { status, statusText: received.statusText, headers: received.headers, body },
      )
    judgeStatus(plain.parts, received, exchange)
    const { earlier } = exchange
    checkResponse(
      this.user,
      exchange,
      earlier === null ? [received] : [received, ...earlier],
      plain.parts.checks,
    )
    this.#finish(exchange, step, status, answeredAt - exchange.firstSentAt, now)
  }

  #takeCookies(exchange: Exchange, parser: ResponseParser): void {
    const { cookies } = this.user.http
    const plain = exchange.request
    if (cookies === null || plain === null) return
    const url = addressOf(exchange, plain)
    for (const line of setCookieLines(parser.head)) cookies.take(line, url)
  }

  #redirect(exchange: Exchange, plain: PlainRequest, step: Step, parser: ResponseParser, now: number): void {
    const { action } = plain.parts
    const from = new URL(addressOf(exchange, plain))
    const received = new Received({
      url: from.href,
      status: parser.status,
      headers: parser.head,
      body: nothingRead,
      durationMs: now - this.#stepStartedAt,
    })
    exchange.received = received
    const location = received.header('location') ?? ''
    const fail = (words: string) => {
      exchange.fail(words, 'other')
      loseAll(action, this.user)
      this.#finish(exchange, step, parser.status, now - exchange.firstSentAt, now)
    }
    if (exchange.redirects++ === action.redirects.max)
      return fail(`There were more than ${action.redirects.max} redirects; the last leads to ${location}.`)
    const url = redirectUrl(location, from.href)
    if (url === null)
      return fail(
        `The redirect to ${location} cannot be followed: only http and https can. Switch redirects.follow off to take it as the answer.`,
      )
    exchange.received = null
    exchange.earlier = [received, ...(exchange.earlier ?? [])]
    const sent = readRequest(exchange.text)
    const next = redirected(
      { method: exchange.method, headers: sent.headers, url: from, body: Buffer.from(sent.body, 'latin1') },
      url,
      parser.status,
    )
    const isOwn = next.url.origin === originOf(plain.server, this.user)
    const credentials = isOwn ? credentialsOf(plain.server, this.user) : undefined
    const isAuthorized = next.headers.some(([name]) => name.toLowerCase() === 'authorization')
    const authorization =
      credentials === undefined || isAuthorized
        ? undefined
        : this.user.authorization.header(credentials, next)
    const headers: [string, string][] = [
      ...next.headers.map(([name, value]): [string, string] => [name, value]),
      ...(authorization === undefined ? [] : [['authorization', authorization] satisfies [string, string]]),
    ]
    const cookie = this.user.httpIfUsed?.cookies?.header(next.url.href) ?? ''
    exchange.method = next.method
    exchange.isRepeated = false
    const body = next.body === null ? '' : sent.body
    const transport = isOwn ? plain.server.transport : transportTo(next.url, this.user)
    this.#send(
      exchange,
      writeRequest(next.method, next.url, transport, headers, body, cookie),
      this.#program.origins.of(next.url, transport),
      now,
    )
  }

  #finish(exchange: Exchange, step: Step, status: number, serviceMs: number, now: number): void {
    this.user[exchange.failure === null ? 'passed' : 'failed']++
    const answeredAt = serviceMs < 0 ? now : exchange.firstSentAt + serviceMs
    this.#recordExchange(exchange, step, status, serviceMs, answeredAt)
    this.#waits = 'no'
    this.#intendedAt = now
    this.#advance(now)
  }

  #recordExchange(
    exchange: Exchange,
    step: Step,
    status: number,
    serviceMs: number,
    answeredAt: number,
  ): void {
    recorded.status = status
    recorded.errorClass = exchange.errorClass
    recorded.serviceMs = serviceMs
    recorded.responseMs = answeredAt - this.#intendedAt
    recorded.sentBytes = exchange.sentBytes
    recorded.receivedBytes = exchange.receivedBytes
    recorded.connectionsOpened = exchange.opened
    recorded.dnsMs = exchange.dnsMs
    recorded.connectMs = exchange.connectMs
    recorded.tlsMs = exchange.tlsMs
    recorded.waitMs = exchange.waitMs
    recorded.downloadMs = exchange.downloadMs
    this.#recorder.record(step.index, recorded)
    if (exchange.failure !== null) this.#keepSample(exchange, step, exchange.failure, answeredAt)
    exchange.request = null
    exchange.received = null
  }

  #keepSample(
    { method, text, failure, errorClass, received, request, url, target }: Exchange,
    step: Step,
    words: string,
    now: number,
  ): void {
    const address = url?.href ?? (request?.base ?? '') + target
    this.#program.samples.keep(step.index, errorClass ?? 'other', this, words, (samples) =>
      samples.exchangeOf(
        method,
        address,
        text,
        received,
        now - this.#stepStartedAt,
        received === null ? failure : null,
      ),
    )
  }

  #end(reason: UserEnded | null): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#connection?.close()
    for (const connection of this.#others ?? []) connection.close()
    this.user.close()
    this.#observer.ended(this, reason)
  }
}

/** Whether it is a request that the cache of the user answered, whole: nothing of the target was measured. */
function askedNobody({ does }: Step, { exchanges }: ResultDraft): boolean {
  return (
    does.kind === 'act' &&
    does.request !== null &&
    exchanges.length > 0 &&
    exchanges.every(({ isFromCache }) => isFromCache)
  )
}

/** Answers that follow one another often have one and the same head. */
let lastHead: { text: string; lines: readonly string[] } = { text: '', lines: [] }

function setCookieLines(head: string): readonly string[] {
  if (lastHead.text !== head) {
    const lines = Array.from(head.matchAll(/\nset-cookie:[ \t]*([^\r\n]*)/gi), ([, line = '']) =>
      line.trimEnd(),
    )
    lastHead = { text: head, lines }
  }
  return lastHead.lines
}

function addressOf(exchange: Exchange, plain: PlainRequest): string {
  return exchange.url === null ? plain.base + exchange.target : exchange.url.href
}

const nothing = {
  status: 0,
  sentBytes: 0,
  receivedBytes: 0,
  connectionsOpened: 0,
  dnsMs: 0,
  connectMs: 0,
  tlsMs: 0,
  waitMs: 0,
  downloadMs: 0,
}

/** Resources of a page come side by side: their waiting is no part of the action's. */
function addTimings({ role, exchange: { timings } }: ReplayedExchange): void {
  if (timings.connectMs !== null) recorded.connectionsOpened++
  recorded.dnsMs += timings.dnsMs ?? 0
  recorded.connectMs += timings.connectMs ?? 0
  recorded.tlsMs += timings.tlsMs ?? 0
  if (role === 'resource') return
  recorded.waitMs += timings.firstByteMs ?? 0
  recorded.downloadMs += timings.downloadMs ?? 0
}

/** Of what is done at once. */
const told = new BriefTold()

/** Filled in for each request anew, instead of made. */
const recorded: Parameters<LoadProgram['recorder']['record']>[1] = {
  ...nothing,
  errorClass: null,
  serviceMs: 0,
  responseMs: 0,
}
