import { liveLimits, type LiveSection } from '../limits.ts'
import { plainText } from '../plain-text.ts'
import type { LiveLog } from '../push.ts'
import { bytesOf, isFields, listOf, numberOf, nsOf, textOf, type Fields } from './fields.ts'
import { withoutLiterals } from './sql-text.ts'

/** An entry of a log, read. */
interface Entry {
  /** Since the program began; undefined where it is not told. */
  elapsedMs: number | undefined
  value?: number | undefined
  count?: number | undefined
  kind?: string | undefined
  thread?: string | undefined
  text?: string | undefined
}

/** Entries that are numbered one after the other: a channel has two such lists. */
interface Numbered {
  number: number
  entry: Entry
}

/** When the entries were asked for, and when the program began, milliseconds since 1970. */
export interface HotpathClock {
  readAt: number
  startedAt: number | undefined
}

/**
 * Reads logs of one run of a program. The server keeps the last entries of each and gives all of them every time; here each comes
 * out once, and those that were pushed out of its ring meanwhile are counted as lost.
 */
export function createHotpathLogs(): {
  read: (
    of: { section: LiveSection; item: string },
    body: unknown,
    clock: HotpathClock,
  ) => LiveLog | undefined
} {
  /** Number of the last entry of each list. */
  const lastNumbers = new Map<string, number>()
  /** Calls of futures that the last answer had, and whether each had ended. */
  const calls = new Map<string, Map<string, boolean>>()

  function take(list: string, numbered: readonly Numbered[]): { entries: Entry[]; lost: number } {
    const last = lastNumbers.get(list)
    const fresh = numbered
      .filter(({ number }) => last === undefined || number > last)
      .toSorted((a, b) => a.number - b.number)
    const [first] = fresh
    const newest = fresh.at(-1)
    if (first === undefined || newest === undefined) return { entries: [], lost: 0 }
    lastNumbers.set(list, newest.number)
    return {
      entries: fresh.map(({ entry }) => entry),
      lost: last === undefined ? 0 : Math.max(0, first.number - last - 1),
    }
  }

  /** Calls have no time, and change: one comes when it is seen first, and when it has ended. */
  function takeCalls(list: string, body: Fields): Entry[] {
    const before = calls.get(list) ?? new Map<string, boolean>()
    const now = new Map<string, boolean>()
    const entries = listOf(body, 'calls').flatMap((call) => {
      const id = textOf(call, 'id') ?? ''
      const state = textOf(call, 'state') ?? ''
      const hasEnded = state === 'ready' || state === 'cancelled'
      now.set(id, hasEnded)
      return before.get(id) === hasEnded ? [] : [callOf(call, state)]
    })
    calls.set(list, now)
    return entries
  }

  return {
    read({ section, item }, body, clock) {
      if (!isFields(body)) return undefined
      const key = `${section} ${item}`
      if (section === 'futures') return logOf(section, item, takeCalls(key, body), 0, clock)
      if (section !== 'channels') {
        const { entries, lost } = take(key, numberedOf(section, body))
        return logOf(section, item, entries, lost, clock)
      }
      const sent = take(`${key} sent`, directionOf(body, 'sent'))
      const received = take(`${key} received`, directionOf(body, 'received'))
      return logOf(section, item, [...sent.entries, ...received.entries], sent.lost + received.lost, clock)
    },
  }
}

function callOf(call: Fields, state: string): Entry {
  return {
    elapsedMs: undefined,
    value: nsOf(call, 'total_poll_duration'),
    count: numberOf(call, 'poll_count'),
    kind: state,
    text: textOf(call, 'result'),
  }
}

function directionOf(body: Fields, direction: 'sent' | 'received'): Numbered[] {
  return listOf(body, `${direction}_logs`).map((entry) => ({
    number: numberOf(entry, 'index') ?? 0,
    entry: {
      ...commonOf(entry),
      value: nsOf(entry, 'delay'),
      kind: direction,
      text: textOf(entry, 'message'),
    },
  }))
}

function numberedOf(section: LiveSection, body: Fields): Numbered[] {
  const entries = listOf(body, 'logs')
  const count = numberOf(body, 'count')
  // The first generation numbers no calls, but tells how many there were, and begins with the newest.
  const byTime = entries.toSorted((a, b) => (elapsedMsOf(b) ?? 0) - (elapsedMsOf(a) ?? 0))
  return byTime.map((entry, position) => ({
    number:
      numberOf(entry, 'invocation', 'index') ??
      (count === undefined ? (elapsedMsOf(entry) ?? 0) : count - position),
    entry: entryOf(section, entry),
  }))
}

function entryOf(section: LiveSection, entry: Fields): Entry {
  const common = commonOf(entry)
  switch (section) {
    case 'functions_timing':
      return { ...common, value: nsOf(entry, 'value', 'duration'), text: textOf(entry, 'result') }
    case 'functions_alloc':
      return {
        ...common,
        value: bytesOf(entry, 'value', 'bytes'),
        count: numberOf(entry, 'alloc_count'),
        text: textOf(entry, 'result'),
      }
    case 'gauges':
      return { ...common, value: numberOf(entry, 'value') }
    case 'debug':
    case 'values':
      return { ...common, text: textOf(entry, 'value') }
    case 'sql':
      return {
        ...common,
        value: nsOf(entry, 'duration'),
        text: withoutLiterals(textOf(entry, 'query') ?? ''),
      }
    case 'http':
    case 'server':
      return { ...common, value: nsOf(entry, 'duration'), kind: textOf(entry, 'status') }
    default:
      return { ...common, text: textOf(entry, 'message') }
  }
}

function commonOf(entry: Fields): Entry {
  return { elapsedMs: elapsedMsOf(entry), thread: textOf(entry, 'tid', 'thread_id') }
}

function elapsedMsOf(entry: Fields): number | undefined {
  const ns = numberOf(entry, 'elapsed_nanos') ?? nsOf(entry, 'timestamp')
  return ns === undefined ? undefined : ns / 1e6
}

function logOf(
  section: LiveSection,
  item: string,
  entries: readonly Entry[],
  lost: number,
  clock: HotpathClock,
): LiveLog | undefined {
  if (entries.length === 0) return undefined
  const timed = entries.map((entry) => ({ entry, at: timeOf(entry, clock) })).toSorted((a, b) => a.at - b.at)
  const sorted = timed.map(({ entry }) => entry)
  return {
    section,
    item,
    at: timed.map(({ at }) => at),
    ...column('value', sorted, ({ value }) => value),
    ...column('count', sorted, ({ count }) => count),
    ...column('kind', sorted, ({ kind }) => kind && plainText(kind, liveLimits.nameMax)),
    ...column('thread', sorted, ({ thread }) => thread && plainText(thread, liveLimits.nameMax)),
    ...column('text', sorted, ({ text }) => text && plainText(text, liveLimits.textMax)),
    ...(lost === 0 ? {} : { lost }),
  }
}

/** When it was, as far as it is known: never after it was read. */
function timeOf({ elapsedMs }: Entry, { readAt, startedAt }: HotpathClock): number {
  if (elapsedMs === undefined || startedAt === undefined) return readAt
  return Math.min(startedAt + elapsedMs, readAt)
}

/** Nothing where no entry has it. */
function column<T>(
  name: string,
  entries: readonly Entry[],
  read: (entry: Entry) => T | undefined,
): Record<string, (T | null)[]> {
  const values = entries.map((entry) => read(entry) ?? null)
  return values.every((value) => value === null) ? {} : { [name]: values }
}
