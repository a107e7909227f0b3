import { newId } from '@flamegate/contract'
import { NotRecorded, type AuditEvent, type AuditStore } from '@flamegate/operations/ports'
import { DatabaseError } from 'pg'
import type { Database } from '../database.ts'
import { linkEvents, newChain, type ChainHead, type LinkedEvent } from './audit-chain.ts'
import { insertAnchor, insertEvents, type AuditRole } from './audit-rows.ts'

export interface AuditWriterOptions {
  /** `app` when left out. */
  role?: AuditRole
  /** How long reads are gathered. */
  gatherMs?: number
  /** How many events go into one statement. */
  batch?: number
  /** More may not wait before calls are refused. Those that run by then still find room. */
  mostWaiting?: number
  /** How long a write waits for its event to be stored. */
  patienceMs?: number
  anchorEveryMs?: number
}

export type AuditWriter = Pick<AuditStore, 'isFull' | 'record'> & { close(): Promise<void> }

interface Waiting {
  event: AuditEvent
  /** Of a write: tells whoever waits for it. */
  stored?: () => void
}

/** Events that were sent. Until an answer comes nobody knows whether they are stored, so they stay as they are. */
interface Sending {
  waiting: Waiting[]
  events: LinkedEvent[]
  isRepeated: boolean
}

const longestPauseMs = 5_000

/**
 * Appends events to one chain, in the order in which they came. A write is stored at once, and everything that waits
 * goes with it, so that the chain never has a gap; what comes meanwhile goes together next. When the database does not
 * take events they wait here, in order, and are tried again; when too many wait, calls have to stop.
 */
export function auditWriter(database: Database, options: AuditWriterOptions = {}): AuditWriter {
  const {
    role = 'app',
    gatherMs = 500,
    batch = 500,
    mostWaiting = 20_000,
    patienceMs = 5_000,
    anchorEveryMs = 60_000,
  } = options
  const { log } = database
  let head = newChain(newId('auditWriter'))
  let anchoredAt = 0
  let lastAnchor = Promise.resolve()
  const waiting: Waiting[] = []
  /** Somebody waits for each of them. */
  const writes = new Set<Waiting>()
  let sending: Sending | undefined
  let flushing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  const anchoring = setInterval(() => void anchor(head, false), anchorEveryMs).unref()

  async function send(): Promise<void> {
    sending ??= link(waiting.splice(0, batch))
    try {
      await insertEvents(database, role, sending.events)
    } catch (error) {
      if (!(sending.isRepeated && isTaken(error, 'pkey'))) {
        sending.isRepeated = true
        if (isTaken(error, 'writer_id_sequence_key')) await startAnew(sending)
        throw error
      }
      // It was stored the first time, and only the answer was lost.
    }
    head = sending.events.at(-1)?.link ?? head
    for (const { stored } of sending.waiting) stored?.()
    sending = undefined
  }

  function link(taken: Waiting[]): Sending {
    const events = linkEvents(
      head,
      taken.map(({ event }) => event),
    )
    return { waiting: taken, events, isRepeated: false }
  }

  /** Somebody else wrote where our next event belongs. The chain ends before that, which shows what was put there. */
  async function startAnew(interrupted: Sending): Promise<void> {
    await anchor(head, true)
    head = newChain(newId('auditWriter'))
    anchoredAt = 0
    interrupted.events = link(interrupted.waiting).events
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    try {
      // Reads that came meanwhile wait for more of them; what somebody waits for does not.
      do await send()
      while (writes.size > 0 || waiting.length >= batch)
      failures = 0
    } catch (err) {
      failures += 1
      log.error({ err }, `audit events could not be stored; ${countWaiting()} wait, and are tried again`)
    }
    flushing = undefined
    if (countWaiting() > 0) flushSoon()
  }

  function flushNow(): Promise<void> {
    flushing ??= flush()
    return flushing
  }

  function flushSoon(): void {
    const pauseMs = failures === 0 ? gatherMs : Math.min(longestPauseMs, gatherMs * 2 ** (failures - 1))
    timer ??= setTimeout(() => void flushNow(), pauseMs).unref()
  }

  function countWaiting(): number {
    return waiting.length + (sending?.waiting.length ?? 0)
  }

  /** One after the other: where the database is slow, the next one would not know that this one is there. */
  function anchor(at: ChainHead, isLast: boolean): Promise<void> {
    lastAnchor = lastAnchor.then(() => storeAnchor(at, isLast))
    return lastAnchor
  }

  async function storeAnchor(at: ChainHead, isLast: boolean): Promise<void> {
    if (at.sequence === 0 || (at.sequence === anchoredAt && !isLast)) return
    try {
      await insertAnchor(database, role, at, isLast)
      anchoredAt = at.sequence
      // Whoever keeps the log elsewhere can tell when the whole chain is replaced, anchors and all.
      log.info({ writerId: at.writerId, sequence: at.sequence, hash: at.hash, isLast }, 'audit anchor')
    } catch (err) {
      log.error({ err }, 'an audit anchor could not be stored')
    }
  }

  function whenStored(entry: Waiting): Promise<void> {
    writes.add(entry)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new NotRecorded()), patienceMs)
      entry.stored = () => {
        writes.delete(entry)
        clearTimeout(late)
        resolve()
      }
    })
  }

  return {
    isFull: () => countWaiting() >= mostWaiting,

    async record(event) {
      const entry: Waiting = { event }
      waiting.push(entry)
      const mayWait = event.effect === 'read' || (event.effect === 'security' && event.decision === 'refused')
      const isUrgent = !mayWait || waiting.length >= batch
      const stored = mayWait ? undefined : whenStored(entry)
      // After a failure everything waits for the next try: a database in trouble is not helped by more of them.
      if (isUrgent && failures === 0) void flushNow()
      else if (flushing === undefined) flushSoon()
      await stored
    },

    async close() {
      clearInterval(anchoring)
      await flushing
      if (countWaiting() > 0) await flushNow()
      if (countWaiting() > 0) await flushNow()
      clearTimeout(timer)
      if (countWaiting() > 0) log.error({ err: undefined }, `${countWaiting()} audit events are lost`)
      await anchor(head, true)
    },
  }
}

/** Each part of the log has this key, by a name of its own. */
function isTaken(error: unknown, key: 'pkey' | 'writer_id_sequence_key'): boolean {
  const constraint = error instanceof DatabaseError && error.code === '23505' ? (error.constraint ?? '') : ''
  return constraint.startsWith('audit_events_') && constraint.endsWith(`_${key}`)
}
