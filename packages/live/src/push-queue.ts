import { liveLimits, liveSections, type LiveSection } from './limits.ts'
import { joinLogs, sliceLog } from './log-entries.ts'
import type { LiveLog, LiveProgram, LivePush } from './push.ts'

/** Something to push: how sections stand, entries of logs, or both. */
export type LivePart = Pick<LivePush, 'at' | 'sections' | 'logs'>

/** What became of one attempt to push. */
export interface PushOutcome {
  /** Of the HTTP answer. */
  status: number
  /** As `Retry-After` said. */
  retryAfterMs?: number | undefined
  /** What the answer said about a refusal, for people. */
  reason?: string | undefined
}

export interface PushQueueOptions {
  session: string
  program: LiveProgram
  /** Sends one push and tells what became of it; throws when there was no answer. It has a timeout of its own. */
  send: (push: LivePush) => Promise<PushOutcome>
  /** Bytes of JSON, about, that are kept while nothing can be sent. */
  bytesMax: number
  /** Hears why nothing is sent any more, once. */
  onGivenUp?: (reason: string) => void
  /** Hears why a push was refused, and is lost: once, until the reason is another one, or a push was taken. */
  onRefused?: (reason: string) => void
  now?: () => number
  /** Between 0 and 1: many programs of one platform must not come back in step. */
  random?: () => number
  /** Calls back later; what it returns takes that back. A program that is profiled gives one that does not keep it alive. */
  startTimer?: (run: () => void, ms: number) => () => void
}

export interface PushQueueState {
  /** Of what is kept, with what is being sent. */
  pendingBytes: number
  pushesSent: number
  entriesSent: number
  /** Entries that there was no room for, or that were in a push that was refused. */
  entriesLost: number
  pushesRefused: number
  /** Why nothing could be sent just now, and when it is tried again. */
  trouble: { reason: string; retryAt: number } | undefined
  /** Why nothing is sent any more. */
  givenUp: string | undefined
}

export interface PushQueue {
  /** Takes what is to be pushed. Neither waits nor throws; what is given is not to be changed afterwards. */
  add: (part: LivePart) => void
  /** Another run of the program. What is left of the one before is sent first. */
  begin: (session: string, program: LiveProgram) => void
  /**
   * Waits until nothing is left, at most so long. A wait that only we chose is cut short once.
   * @returns whether all of it arrived
   */
  drain: (withinMs: number) => Promise<boolean>
  /** Forgets what is left and does nothing more. */
  close: () => void
  state: () => PushQueueState
}

/**
 * About the bytes of one push. Far below what is allowed, because bytes are estimated here (JSON of a text has up to six for a
 * character), and because what is being sent cannot be thinned any more.
 */
const pushBytes = 4 * 2 ** 20
const sectionBytes = 4 * pushBytes
const firstWaitMs = 500
const longestWaitMs = 30_000
/** The token, or the live app, is no more. What else is refused may have been wrong with one push only. */
const lastingRefusals = new Set([401, 403, 404, 410])

type Section = NonNullable<NonNullable<LivePush['sections']>[LiveSection]>

interface Kept<T> {
  body: T
  bytes: number
}

/** What is left to send of one run of the program. */
interface Run {
  session: string
  /** Until a push with it has arrived. */
  program: LiveProgram | undefined
  /** Of the next push that is made. */
  sequence: number
  at: number
  sections: Map<LiveSection, Kept<Section>>
  logs: Kept<LiveLog>[]
  /** Entries that there was no room for, by item. */
  lost: Map<string, { section: LiveSection; item: string; count: number }>
}

/**
 * Sends pushes of a program one after the other, and keeps what cannot be sent yet: the newest snapshot of every section, and log
 * entries as far as there is room, of which the oldest go first. A push is made once: tried again, it has the same sequence and
 * the same content, so that it counts once, whichever attempt arrived.
 */
export function createPushQueue(options: PushQueueOptions): PushQueue {
  const { now = Date.now, random = Math.random, startTimer = startPlainTimer } = options
  /** The oldest first; only the last grows. */
  const runs: Run[] = []
  /** Of what waits; without what is being sent. */
  let waitingBytes = 0
  let bytesPerPush = Math.min(pushBytes, options.bytesMax / 4)
  let sending: { push: LivePush; run: Run; bytes: number } | undefined
  let attempts = 0
  let retry: { cancel: () => void; isOurs: boolean } | undefined
  let isClosed = false
  const watchers = new Set<(isDrained: boolean) => void>()
  const counts = { pushesSent: 0, entriesSent: 0, entriesLost: 0, pushesRefused: 0 }
  let trouble: PushQueueState['trouble']
  let givenUp: string | undefined
  let refusedFor: string | undefined

  function add(part: LivePart): void {
    const run = runs.at(-1)
    if (run === undefined || isClosed) return
    run.at = Math.max(run.at, part.at)
    for (const name of liveSections) {
      const section = part.sections?.[name]
      if (section !== undefined) keepSection(run, name, section)
    }
    for (const body of part.logs ?? []) {
      const bytes = bytesOf(body)
      run.logs.push({ body, bytes })
      waitingBytes += bytes
    }
    dropWhatIsTooMuch()
    sendNext()
  }

  function keepSection(run: Run, name: LiveSection, section: Section): void {
    let body = withItems(section, liveLimits.itemsMax)
    let bytes = bytesOf(body)
    while (bytes > sectionBytes && (body.items?.length ?? 0) > 0) {
      body = withItems(body, Math.floor((body.items?.length ?? 0) / 2))
      bytes = bytesOf(body)
    }
    waitingBytes += bytes - (run.sections.get(name)?.bytes ?? 0)
    run.sections.set(name, { body, bytes })
  }

  function excess(): number {
    return waitingBytes + (sending?.bytes ?? 0) - options.bytesMax
  }

  function dropWhatIsTooMuch(): void {
    for (const run of runs) {
      let dropped = 0
      for (; dropped < run.logs.length && excess() > 0; dropped++) {
        const log = run.logs[dropped]
        if (log === undefined) break
        const [gone, left] = cut(log, Math.ceil((excess() / log.bytes) * log.body.at.length))
        waitingBytes -= log.bytes - (left?.bytes ?? 0)
        countLost(run, gone.body)
        if (left === undefined) continue
        run.logs[dropped] = left
        break
      }
      run.logs.splice(0, dropped)
    }
    // How an earlier run stood in the end matters less than that the newest one is known.
    while (excess() > 0 && runs.length > 1) {
      for (const { bytes } of runs.shift()?.sections.values() ?? []) waitingBytes -= bytes
    }
  }

  function countLost(run: Run, { section, item, at, lost = 0 }: LiveLog): void {
    counts.entriesLost += at.length
    const key = keyOf({ section, item })
    const before = run.lost.get(key)?.count ?? 0
    run.lost.set(key, { section, item, count: before + at.length + lost })
  }

  function sendNext(): void {
    if (sending !== undefined || isClosed) return
    while (runs.length > 1 && runs[0] !== undefined && isEmpty(runs[0])) runs.shift()
    const [run] = runs
    if (run === undefined || isEmpty(run)) return settle(true)
    sending = nextPushOf(run)
    attempts = 0
    void attempt()
  }

  /** Takes from what is left as much as one push may hold: at least something, and all that fits. */
  function nextPushOf(run: Run): { push: LivePush; run: Run; bytes: number } {
    const sections: NonNullable<LivePush['sections']> = {}
    let bytes = 0
    const fits = (more: number) => bytes === 0 || bytes + more <= bytesPerPush
    for (const [name, section] of run.sections) {
      if (!fits(section.bytes)) break
      sections[name] = section.body
      bytes += section.bytes
      run.sections.delete(name)
    }
    const byItem = new Map<string, [LiveLog, ...LiveLog[]]>()
    let entries = 0
    let taken = 0
    for (
      let log = run.logs[0];
      log !== undefined && byItem.size < liveLimits.logsMax;
      log = run.logs[taken]
    ) {
      const room = Math.floor(((bytesPerPush - bytes) / log.bytes) * log.body.at.length)
      const most = Math.min(Math.max(room, bytes === 0 ? 1 : 0), liveLimits.entriesMax - entries)
      if (most < Math.min(log.body.at.length, 1)) break
      const [part, rest] = cut(log, most)
      bytes += part.bytes
      entries += part.body.at.length
      const logs = byItem.get(keyOf(part.body))
      if (logs === undefined) byItem.set(keyOf(part.body), [part.body])
      else logs.push(part.body)
      if (rest === undefined) taken++
      else run.logs[taken] = rest
    }
    run.logs.splice(0, taken)
    waitingBytes -= bytes
    for (const [key, { section, item, count }] of run.lost) {
      const logs = byItem.get(key)
      if (logs === undefined && byItem.size >= liveLimits.logsMax) continue
      const log = { section, item, at: [], lost: count }
      byItem.set(key, logs === undefined ? [log] : [...logs, log])
      run.lost.delete(key)
    }
    const push: LivePush = {
      session: run.session,
      sequence: run.sequence++,
      at: run.at,
      ...(run.program === undefined ? {} : { program: run.program }),
      sections,
      logs: [...byItem.values()].map(joinLogs),
    }
    return { push, run, bytes }
  }

  async function attempt(): Promise<void> {
    if (sending === undefined) return
    attempts++
    try {
      hear(await options.send(sending.push))
    } catch (error) {
      hear({ status: 0, reason: error instanceof Error ? error.message : String(error) })
    }
  }

  function hear({ status, reason, retryAfterMs }: PushOutcome): void {
    if (sending === undefined || isClosed) return
    const { push, run } = sending
    if (status >= 200 && status < 300) {
      counts.pushesSent++
      for (const log of push.logs ?? []) counts.entriesSent += log.at.length
      if (push.program === run.program) run.program = undefined
      trouble = undefined
      refusedFor = undefined
      sending = undefined
      sendNext()
    } else if (status === 413) {
      const refused = sending
      sending = undefined
      if (!takeBack(refused)) return giveUp(reason ?? 'The platform takes not even the smallest push.')
      sendNext()
    } else if (status === 0 || status === 408 || status === 429 || status >= 500) {
      tryAgain(reason ?? `The platform answered ${status}.`, retryAfterMs)
    } else if (status < 400 || lastingRefusals.has(status)) {
      giveUp(reason ?? `The platform answered ${status}.`)
    } else {
      leaveOut(push, reason ?? `The platform answered ${status}.`)
    }
  }

  function leaveOut({ logs = [] }: LivePush, reason: string): void {
    counts.pushesRefused++
    for (const log of logs) counts.entriesLost += log.at.length
    trouble = undefined
    sending = undefined
    if (reason !== refusedFor) options.onRefused?.(reason)
    refusedFor = reason
    sendNext()
  }

  /**
   * A push that is too large was not stored: what it had goes into smaller ones, of which the first takes its number. What is
   * too large alone becomes less.
   * @returns whether there was anything to make smaller
   */
  function takeBack({ push, run, bytes }: { push: LivePush; run: Run; bytes: number }): boolean {
    bytesPerPush = Math.min(bytesPerPush, bytes) / 2
    run.sequence = push.sequence
    if (!runs.includes(run)) runs.unshift(run)
    const names = liveSections.filter((name) => push.sections?.[name] !== undefined)
    const logs = (push.logs ?? []).map((body) => ({ body, bytes: bytesOf(body) }))
    const parts = names.length + logs.reduce((sum, { body }) => sum + body.at.length, 0)
    if (parts === 1) {
      for (const { body } of logs) countLost(run, body)
    } else {
      for (const log of logs) waitingBytes += log.bytes
      run.logs.unshift(...logs)
    }
    for (const name of names) {
      const section = push.sections?.[name]
      if (section === undefined || run.sections.has(name)) continue
      const itemsMax = Math.floor((section.items?.length ?? 0) / (parts === 1 ? 2 : 1))
      if (parts > 1 || itemsMax > 0) keepSection(run, name, withItems(section, itemsMax))
    }
    return parts > 0
  }

  function tryAgain(reason: string, retryAfterMs: number | undefined): void {
    const exponentialMs = Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs)
    const waitMs =
      retryAfterMs === undefined
        ? exponentialMs * (0.5 + random() / 2)
        : retryAfterMs + random() * firstWaitMs
    trouble = { reason, retryAt: now() + waitMs }
    const cancel = startTimer(() => {
      retry = undefined
      void attempt()
    }, waitMs)
    retry = { cancel, isOurs: retryAfterMs === undefined }
  }

  function giveUp(reason: string): void {
    givenUp = reason
    close()
    options.onGivenUp?.(reason)
  }

  function close(): void {
    isClosed = true
    retry?.cancel()
    retry = undefined
    sending = undefined
    runs.length = 0
    waitingBytes = 0
    settle(false)
  }

  function settle(isDrained: boolean): void {
    for (const watcher of watchers) watcher(isDrained)
  }

  function drain(withinMs: number): Promise<boolean> {
    if (isClosed) return Promise.resolve(false)
    if (sending === undefined) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (isDrained: boolean) => {
        watchers.delete(end)
        cancel()
        resolve(isDrained)
      }
      const cancel = startTimer(() => end(false), withinMs)
      watchers.add(end)
      if (retry?.isOurs !== true) return
      retry.cancel()
      retry = undefined
      void attempt()
    })
  }

  function begin(session: string, program: LiveProgram): void {
    if (isClosed) return
    runs.push({ session, program, sequence: 0, at: 0, sections: new Map(), logs: [], lost: new Map() })
  }

  begin(options.session, options.program)
  return {
    add,
    begin,
    drain,
    close,
    state: () => ({
      ...counts,
      pendingBytes: waitingBytes + (sending?.bytes ?? 0),
      trouble: isClosed ? undefined : trouble,
      givenUp,
    }),
  }
}

function isEmpty({ sections, logs, lost }: Run): boolean {
  return sections.size === 0 && logs.length === 0 && lost.size === 0
}

function keyOf({ section, item }: Pick<LiveLog, 'section' | 'item'>): string {
  return `${section} ${item}`
}

function withItems(section: Section, itemsMax: number): Section {
  const { items = [], left_out: leftOut = 0 } = section
  if (items.length <= itemsMax) return section
  return { ...section, items: items.slice(0, itemsMax), left_out: leftOut + items.length - itemsMax }
}

/** The first entries of a log, and the rest, if there is one. */
function cut({ body, bytes }: Kept<LiveLog>, entries: number): [Kept<LiveLog>, Kept<LiveLog>?] {
  const { length } = body.at
  if (entries >= length) return [{ body, bytes }]
  const first = sliceLog(body, 0, entries)
  // What the producer could not keep was before all of it.
  if (body.lost !== undefined) first.lost = body.lost
  const firstBytes = Math.round((bytes * entries) / length)
  return [
    { body: first, bytes: firstBytes },
    { body: sliceLog(body, entries), bytes: bytes - firstBytes },
  ]
}

/** Of JSON, about: to count exactly would cost as much as to send it. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value === 'number') return Number.isInteger(value) && value < 1e6 ? 7 : 18
  if (typeof value !== 'object' || value === null) return 5
  let bytes = 3
  if (Array.isArray(value)) for (const each of value) bytes += bytesOf(each)
  else for (const [key, each] of Object.entries(value)) bytes += key.length + 4 + bytesOf(each)
  return bytes
}

function startPlainTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
