import { setTimeout as sleep } from 'node:timers/promises'
import { Redactor } from '@flamegate/loadtest/running'
import type { Duration, HttpServer, Variable, VirtualUser } from '@flamegate/loadtest'
import { profileCounters } from '@flamegate/series'
import type { ProfileCounter, Tick } from '@flamegate/series'
import type { ClosablePageRunner } from '../page/create-page-runner.ts'
import type { LoadBrowser } from '../page/load-browser.ts'
import type { PageTrace } from '../page/page-traces.ts'
import type { UserEnded } from '../action-failure.ts'
import type { Access } from '../http/access.ts'
import type { TargetGate, UserPlan } from '../ports.ts'
import { compile } from '../program/compile.ts'
import type { Program } from '../program/compile.ts'
import { User } from '../program/user.ts'
import type { SharedPlaces } from '../variables/feed.ts'
import type { VariablePool } from '../variables/variable-pool.ts'
import { GeneratorHealth } from './generator-health.ts'
import { plainRequests } from './load-program.ts'
import type { LoadProgram } from './load-program.ts'
import { LoadUser } from './load-user.ts'
import type { LoadUserObserver } from './load-user.ts'
import { Origins } from './origin.ts'
import { Pacer } from './pacer.ts'
import { Pacing } from './pacing.ts'
import { measuredPageLoad, type MeasuredPageLoad } from './page-loads.ts'
import { Recorder } from './recorder.ts'
import { LoggedRequests } from './request-log.ts'
import type { RequestLog } from './request-log.ts'
import { Samples } from './samples.ts'
import type { FailureSample } from './samples.ts'
import { TimerWheel } from './timer-wheel.ts'

/** Users begin so many at a time, at most, so that a listener's backlog holds their connections. */
const usersAtOnce = 100
const controlMs = 10

/** How much of a virtual user there is, and when. */
export type LoadModel =
  /**
   * So many users at a time, each beginning anew when it is done, `usersMax` at most. Milliseconds since the start. It is over when so
   * many have done all of their iterations, and at once where there is never a user.
   */
  | {
      type: 'closed'
      wantedUsers: (elapsedMs: number) => number
      usersMax: number
      /** Whether users of others may come to it while it goes on, so that it waits for them although it has none. */
      mayTakeOver?: boolean
      iterationsMax: number | null
      /** From one start of an iteration to the next, at least. */
      pacing?: Duration | null
    }
  /**
   * Iterations begin when they are due, however long others take: rising milliseconds since the start, Infinity at the end. Each
   * needs a user; when `usersMax` are busy it waits, and what it waits is counted.
   */
  | { type: 'open'; nextArrivalMs: () => number; usersMax: number }

export interface LoadProfile {
  document: VirtualUser
  servers: ReadonlyMap<string, HttpServer>
  variables: readonly Variable[]
  secrets: ReadonlyMap<string, string>
  /** How far users got in the values of each variable: of all threads, where others run the same. */
  places?: SharedPlaces | undefined
  /** Beside that of the document. */
  thinkTimeFactor: number
  /** As a check has it, where it is left out. */
  access?: Access | undefined
  model: LoadModel
  /** Place of its first action among those of the run; its actions follow in the order of `loadActions`. */
  firstAction: number
  seed: number
}

export interface LoadPlan {
  profiles: readonly LoadProfile[]
  gate: TargetGate
  openFile: UserPlan['openFile']
  /** For users with actions in pages; without it these fail, and say so. */
  browser?: LoadBrowser | undefined
  /** Milliseconds since 1970. */
  startAt: number
  durationMs: number
  /** Users have so long to get to the end of what they do, after the end. */
  drainMs: number
  signal: AbortSignal
}

/** A page action of a user with a browser, as it was recorded. */
export interface KeptPageTrace extends Omit<PageTrace, 'actionId'> {
  profile: number
  /** Place of the action in the list of the run's actions. */
  action: number
}

export interface LoadObserver {
  onTick: (tick: Tick) => void
  onSample: (sample: FailureSample) => void
  /** A page that a user with a browser loaded, when it was left. */
  onPageLoad?: (load: MeasuredPageLoad) => void
  /** A few page actions, recorded; where it is left out, none is. */
  onPageTrace?: ((trace: KeptPageTrace) => void) | undefined
  /** Gets a row of each request; where it is left out, none is made. */
  requestLog?: RequestLog | undefined
}

export interface LoadOutcome {
  /** Whole seconds that were told. */
  seconds: number
  /** By profile: arrivals that were due and that no user was free for up to the end. */
  unsentArrivals: readonly number[]
  /** Why users ended before they were asked to, and what was not as it was asked for: each once. */
  words: readonly string[]
  /** By profile: the variable of which all of its users ran out of rows before the end; null where others did not. */
  outOfRows: readonly (string | null)[]
  /** Actions that the end cut off. */
  cutOff: number
}

/** The actions of a document, in the order in which a load counts them. */
export function loadActions(
  profile: Pick<LoadProfile, 'document' | 'servers' | 'variables'>,
): { id: string; type: string; name: string; path: readonly string[] }[] {
  return compile(profile).allSteps.map(({ id, type, name, path }) => ({ id, type, name, path }))
}

/** Names of the variables that the users of a profile share with others. Rows of files are not read for that. */
export async function sharedVariables(
  profile: Pick<LoadProfile, 'document' | 'servers' | 'variables' | 'access'>,
  openFile: UserPlan['openFile'],
): Promise<ReadonlySet<string>> {
  const { shared } = await compile(profile).openVariables(openFile, undefined, 1)
  return shared
}

/** Runs profiles in this thread, and tells each second what happened in it. */
export class LoadGenerator {
  readonly #plan: LoadPlan
  readonly #observer: LoadObserver
  readonly #wheel = new TimerWheel()
  readonly #health = new GeneratorHealth()
  readonly #count = { connections: 0 }
  readonly #ending = new AbortController()
  readonly #done = Promise.withResolvers<void>()
  /** Of profiles for which another number was told than the plan says; it may be told before they are prepared. */
  readonly #wanted = new Map<number, { wantedUsers: (elapsedMs: number) => number; usersMax: number }>()
  #profiles: ProfileRun[] = []
  #zero = 0
  #second = 0
  #isEnding = false
  #cutOff = 0
  #timers: NodeJS.Timeout[] = []

  constructor(plan: LoadPlan, observer: LoadObserver) {
    this.#plan = plan
    this.#observer = observer
  }

  /** Resolves when all users have ended, and the last second was told. */
  async run(): Promise<LoadOutcome> {
    const { profiles, startAt, durationMs, signal } = this.#plan
    this.#profiles = await Promise.all(profiles.map((profile, index) => this.#prepare(profile, index)))
    for (const [profile, { wantedUsers, usersMax }] of this.#wanted)
      this.#profiles[profile]?.setWantedUsers(wantedUsers, usersMax)
    this.#health.start()
    const wait = startAt - Date.now()
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {})
    if (signal.aborted) {
      this.#health.stop()
      return {
        seconds: 0,
        unsentArrivals: profiles.map(() => 0),
        words: [],
        outOfRows: profiles.map(() => null),
        cutOff: 0,
      }
    }
    // Late is late: what was due meanwhile is due.
    this.#zero = performance.now() + Math.min(0, startAt - Date.now())
    for (const profile of this.#profiles) profile.start(this.#zero)
    this.#timers = [
      setInterval(() => this.#tell(), 50),
      setInterval(() => this.#control(), controlMs),
      setTimeout(() => this.stop(), Math.max(0, this.#zero + durationMs - performance.now())),
    ]
    this.#control()
    signal.addEventListener('abort', () => this.stop(), { once: true })
    await this.#done.promise
    // Pages tell the last of what they measured when they are left.
    await Promise.all(this.#profiles.map((profile) => profile.pagesClosed()))
    for (const timer of this.#timers) clearTimeout(timer)
    this.#wheel.stop()
    this.#health.stop()
    this.#tellSecond()
    return {
      seconds: this.#second,
      unsentArrivals: this.#profiles.map(({ waitingArrivals }) => waitingArrivals),
      words: [...new Set(this.#profiles.flatMap(({ words }) => [...words]))],
      outOfRows: this.#profiles.map(({ outOfRows }) => outOfRows),
      cutOff: this.#cutOff,
    }
  }

  /** No iteration begins any more; users end at their next step, and after `drainMs` in the middle of it. */
  stop(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    for (const profile of this.#profiles) profile.stop()
    if (this.#endIfDone()) return
    this.#timers.push(
      setTimeout(() => {
        this.#ending.abort(new Error('The run has ended.'))
        for (const profile of this.#profiles) this.#cutOff += profile.abort(performance.now())
        this.#endIfDone()
      }, this.#plan.drainMs),
    )
  }

  /**
   * Another number of users, from now on: users move from one generator to another. Open models are asked for their next arrival anew;
   * of them `usersMax` alone counts.
   */
  setWantedUsers(profile: number, wantedUsers: (elapsedMs: number) => number, usersMax: number): void {
    this.#wanted.set(profile, { wantedUsers, usersMax })
    this.#profiles[profile]?.setWantedUsers(wantedUsers, usersMax)
  }

  async #prepare(profile: LoadProfile, index: number): Promise<ProfileRun> {
    const { gate, openFile } = this.#plan
    const program = compile(profile)
    const pool = await program.openVariables(openFile, profile.places)
    const origins = new Origins(gate)
    const redactor = new Redactor(profile.secrets.values())
    const recorder = new Recorder(index, profile.firstAction)
    const samples = new Samples(index, profile.firstAction, redactor, (sample) =>
      this.#observer.onSample(sample),
    )
    const thinkTimeFactor = program.thinkTimeFactor * profile.thinkTimeFactor
    const log = this.#observer.requestLog
    const logged =
      log === undefined
        ? undefined
        : new LoggedRequests({
            log,
            recorder,
            firstAction: profile.firstAction,
            redactor,
            elapsedMs: () => performance.now() - this.#zero,
            profileUsers: () => run.usersCount,
            allUsers: () => this.#profiles.reduce((sum, { usersCount }) => sum + usersCount, 0),
          })
    const run: ProfileRun = new ProfileRun(
      profile,
      { ...program, thinkTimeFactor },
      pool,
      {
        steps: program.steps,
        plain: plainRequests(program, origins),
        wheel: this.#wheel,
        recorder,
        logged,
        origins,
        count: this.#count,
        samples,
        keepsCookies: program.cookies.keep,
        keepsCache: program.cache.keep,
        keepsAnswers: program.hasScripts,
        noteLag: (ms) => this.#health.noteLag(ms),
        countIteration: (hasFailed) => run.countIteration(hasFailed),
      },
      {
        ...profile,
        openFile,
        gate,
        iterations: 0,
        signal: this.#ending.signal,
      },
      redactor,
      () => this.#endIfDone(),
      this.#pagesOf(profile, index, program, redactor),
    )
    if (this.#observer.onPageTrace !== undefined && pool.usesSecrets)
      run.words.add(
        `${profile.document.name} uses secrets, which traces of its pages would show: none was kept.`,
      )
    return run
  }

  /** What gives each user of a profile its pages; undefined without a browser. */
  #pagesOf(
    { firstAction }: LoadProfile,
    profile: number,
    { allSteps }: Program,
    redactor: Redactor,
  ): (() => ClosablePageRunner) | undefined {
    const { browser, startAt: runStartedAt } = this.#plan
    const { onPageTrace } = this.#observer
    if (browser === undefined) return undefined
    const places = new Map(allSteps.map(({ id, index }) => [id, firstAction + index]))
    return () =>
      browser.forUser({
        profile,
        onLoad: (load) => {
          const action = places.get(load.actionId) ?? firstAction
          this.#observer.onPageLoad?.(measuredPageLoad(load, { profile, action, runStartedAt }, redactor))
        },
        onTrace:
          onPageTrace &&
          (({ actionId, ...trace }) =>
            onPageTrace({ ...trace, profile, action: places.get(actionId) ?? firstAction })),
      })
  }

  #control(): void {
    const now = performance.now()
    if (!this.#isEnding) for (const profile of this.#profiles) profile.control(now)
    this.#endIfDone()
  }

  #endIfDone(): boolean {
    const isDone = this.#profiles.every((profile) => profile.isDone(this.#isEnding))
    if (isDone) {
      this.#isEnding = true
      this.#done.resolve()
    }
    return isDone
  }

  #tell(): void {
    while (performance.now() - this.#zero >= (this.#second + 1) * 1000) this.#tellSecond()
  }

  #tellSecond(): void {
    const idleMs = this.#profiles.reduce((sum, profile) => sum + profile.takeIdleMs(), 0)
    this.#observer.onTick({
      second: this.#second++,
      actions: this.#profiles.flatMap((profile) => profile.takeActions()),
      profiles: this.#profiles.map((profile) => profile.takeCounters()),
      generator: this.#health.take(idleMs, this.#count.connections),
    })
  }
}

const placeOf = (counter: ProfileCounter) => profileCounters.indexOf(counter)
const startedAt = placeOf('users_started')
const endedAt = placeOf('users_ended')
const usersAt = placeOf('users')
const iterationsAt = placeOf('iterations')
const failedIterationsAt = placeOf('iterations_failed')
const dueAt = placeOf('arrivals_due')
const lateAt = placeOf('arrivals_late')

/** Users of one profile while it runs. */
class ProfileRun implements LoadUserObserver {
  /** Why users ended before they were asked to. */
  readonly words = new Set<string>()
  readonly #profile: LoadProfile
  readonly #userProgram: Program
  readonly #pool: VariablePool
  readonly #program: LoadProgram
  readonly #userPlan: UserPlan
  readonly #redactor: Redactor
  readonly #onUserEnded: () => void
  readonly #openPages: (() => ClosablePageRunner) | undefined
  readonly #users = new Set<LoadUser>()
  readonly #pages = new Map<LoadUser, ClosablePageRunner>()
  readonly #closing = new Set<Promise<void>>()
  /** Open model: those who wait for an arrival. */
  readonly #idle: LoadUser[] = []
  /** Open model: when those were due who wait for a user. */
  #arrivals: number[] = []
  #arrivalsTaken = 0
  #counters = new Float64Array(profileCounters.length)
  #wantedUsers: (elapsedMs: number) => number
  #usersMax: number
  readonly #pacing: Pacing | null
  #pacer: Pacer | null = null
  #arrivalsAreOver = false
  #zero = 0
  #number = 0
  /** Users who have done all that they had to do, or got no more rows, and are not replaced. */
  #finished = 0
  /** Those among them who got no more rows. */
  #ranOut = 0
  #ranOutOf: string | null = null
  #outOfRowsAtStop: string | null = null
  #stopping = 0
  #idleMsTold = 0
  #isStopping = false

  constructor(
    profile: LoadProfile,
    userProgram: Program,
    pool: VariablePool,
    program: LoadProgram,
    userPlan: UserPlan,
    redactor: Redactor,
    onUserEnded: () => void,
    openPages: (() => ClosablePageRunner) | undefined,
  ) {
    this.#openPages = openPages
    this.#profile = profile
    this.#userProgram = userProgram
    this.#pool = pool
    this.#program = program
    this.#userPlan = userPlan
    this.#redactor = redactor
    this.#onUserEnded = onUserEnded
    this.#usersMax = profile.model.usersMax
    this.#wantedUsers = profile.model.type === 'closed' ? profile.model.wantedUsers : () => 0
    const pacing = profile.model.type === 'closed' ? profile.model.pacing : null
    this.#pacing = pacing ? new Pacing(pacing) : null
  }

  get usersCount(): number {
    return this.#users.size
  }

  get waitingArrivals(): number {
    return this.#arrivals.length - this.#arrivalsTaken
  }

  /** The variable of which all users ran out of rows before they were asked to stop; null: they did not. */
  get outOfRows(): string | null {
    if (this.#isStopping) return this.#outOfRowsAtStop
    if (this.#users.size > 0 || this.#ranOut < this.#finished || !this.#isOver()) return null
    return this.#pool.exhausted()?.variable ?? this.#ranOutOf
  }

  start(zero: number): void {
    this.#zero = zero
    const { model } = this.#profile
    if (model.type === 'closed') return
    this.#pacer = new Pacer(
      model.nextArrivalMs,
      (due, now) => this.#arrive(due, now),
      () => {
        this.#arrivalsAreOver = true
      },
    )
    this.#pacer.start(zero)
  }

  /** Brings the number of users of a closed load to the one that is wanted, and ends those for whom there are no more rows. */
  control(now: number): void {
    if (this.#profile.model.type === 'open') {
      const exhausted = this.#pool.exhausted()
      if (exhausted?.feed.renewed === 'each_iteration')
        for (const user of this.#idle.splice(0)) user.stop('step')
      if (exhausted !== undefined && this.#users.size === 0) this.#pacer?.stop()
      this.#startForWaiting(now)
      return
    }
    const wanted = this.#wantedUsers(now - this.#zero)
    const running = this.#users.size - this.#stopping
    const missing = wanted - running - this.#finished
    for (let count = Math.min(missing, usersAtOnce); count > 0; count--) {
      if (this.#pool.exhausted() !== undefined) break
      const user = this.#startUser()
      user.beginIteration(0, now, now)
    }
    let surplus = running - wanted
    for (const user of this.#users) {
      if (surplus <= 0) break
      if (user.stopsAt !== null) continue
      surplus--
      this.#stopping++
      user.stop('iteration')
    }
  }

  /** Open model: where more users are allowed than before, or some have ended, those begin that waited for one. */
  #startForWaiting(now: number): void {
    for (let count = 0; count < usersAtOnce && this.waitingArrivals > 0 && this.#hasRoom(); count++) {
      const due = this.#takeArrival()
      if (due !== undefined) this.#beginArrival(this.#startUser(), due, now)
    }
  }

  setWantedUsers(wantedUsers: (elapsedMs: number) => number, usersMax: number): void {
    this.#wantedUsers = wantedUsers
    this.#usersMax = usersMax
    if (this.#pacer === null || this.#isStopping) return
    this.#arrivalsAreOver = false
    this.#pacer.renew()
  }

  stop(): void {
    this.#outOfRowsAtStop = this.outOfRows
    this.#isStopping = true
    this.#pacer?.stop()
    this.#arrivalsAreOver = true
    for (const user of this.#idle.splice(0)) user.stop('step')
    for (const user of this.#users) {
      if (user.stopsAt === null) this.#stopping++
      user.stop('step')
    }
  }

  /** How many actions were cut off. */
  abort(now: number): number {
    let cutOff = 0
    for (const user of this.#users) if (user.abort(now)) cutOff++
    return cutOff
  }

  isDone(isEnding: boolean): boolean {
    if (isEnding) return this.#users.size === 0
    if (this.#profile.model.type === 'open' && this.#arrivalsAreOver && this.waitingArrivals === 0)
      return this.#users.size === this.#idle.length
    return this.#users.size === 0 && this.#isOver()
  }

  /** Whether no user begins any more. */
  #isOver(): boolean {
    if (this.#pool.exhausted() !== undefined) return true
    const { model } = this.#profile
    if (model.type === 'open') return false
    if (this.#usersMax === 0 && model.mayTakeOver !== true) return true
    // Only those who have done all, or ran out of rows, are not replaced.
    const ends = model.iterationsMax !== null || this.#ranOut > 0
    return ends && this.#finished >= this.#usersMax
  }

  countIteration(hasFailed: boolean): void {
    this.#counters[iterationsAt]!++
    if (hasFailed) this.#counters[failedIterationsAt]!++
  }

  takeActions() {
    return this.#program.recorder.take()
  }

  takeCounters(): Float64Array {
    const counters = this.#counters
    counters[usersAt] = this.#users.size
    this.#counters = new Float64Array(profileCounters.length)
    return counters
  }

  takeIdleMs(): number {
    const idleMs = this.#pacer?.idleMs ?? 0
    const since = idleMs - this.#idleMsTold
    this.#idleMsTold = idleMs
    return since
  }

  iterationEnded(user: LoadUser, hasFailed: boolean, now: number): void {
    this.countIteration(hasFailed)
    const { model } = this.#profile
    if (model.type === 'open') {
      const due = this.#takeArrival()
      if (due === undefined) this.#idle.push(user)
      else this.#beginArrival(user, due, now)
      return
    }
    const next = user.user.iteration + 1
    if (model.iterationsMax !== null && next >= model.iterationsMax) {
      this.#finished++
      user.finish()
      return
    }
    if (this.#pacing?.hold(user.user, now) === false)
      this.words.add(
        `Iterations of ${this.#profile.document.name} took longer than the pacing; the next ones began at once.`,
      )
    user.beginIteration(next, now, now)
  }

  ended(user: LoadUser, reason: UserEnded | null): void {
    this.#users.delete(user)
    this.#closePages(user)
    if (user.stopsAt !== null) this.#stopping--
    this.#counters[endedAt]!++
    if (reason !== null) {
      this.words.add(reason.message)
      this.#finished++
      this.#ranOut++
      this.#ranOutOf = reason.variable
    }
    this.#onUserEnded()
  }

  later(user: LoadUser): void {
    setImmediate(() => user.resume())
  }

  /** Of users who have ended. */
  async pagesClosed(): Promise<void> {
    await Promise.all(this.#closing)
  }

  #closePages(user: LoadUser): void {
    const pages = this.#pages.get(user)
    if (pages === undefined) return
    this.#pages.delete(user)
    const closing = pages.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #startUser(): LoadUser {
    const number = this.#number++
    const seed = this.#profile.seed + number * 0x9e3779b9
    const pages = this.#openPages?.()
    const plan = pages === undefined ? this.#userPlan : { ...this.#userPlan, pages }
    const user = new LoadUser(
      number,
      new User(this.#userProgram, this.#pool, plan, silent, noPulse, this.#redactor, seed),
      this.#program,
      this,
    )
    this.#users.add(user)
    if (pages !== undefined) this.#pages.set(user, pages)
    this.#counters[startedAt]!++
    return user
  }

  #arrive(due: number, now: number): void {
    this.#counters[dueAt]!++
    this.#program.noteLag(now - due)
    // Those who came earlier have their turn first.
    if (this.waitingArrivals === 0) {
      const user = this.#idle.pop() ?? (this.#hasRoom() ? this.#startUser() : undefined)
      if (user !== undefined) return this.#beginArrival(user, due, now)
    }
    this.#arrivals.push(due)
  }

  /** Open model: for one more user. */
  #hasRoom(): boolean {
    return this.#users.size < this.#usersMax && this.#pool.exhausted() === undefined
  }

  #takeArrival(): number | undefined {
    if (this.#isStopping || this.waitingArrivals === 0) return undefined
    const due = this.#arrivals[this.#arrivalsTaken++]
    if (this.#arrivalsTaken > 4096) {
      this.#arrivals = this.#arrivals.slice(this.#arrivalsTaken)
      this.#arrivalsTaken = 0
    }
    return due
  }

  #beginArrival(user: LoadUser, due: number, now: number): void {
    if (now - due > 1) this.#counters[lateAt]!++
    user.beginIteration(user.nextIteration, due, now)
  }
}

const silent = { finished: () => {} }
const noPulse = () => {}
