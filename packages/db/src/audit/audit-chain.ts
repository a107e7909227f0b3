import { hash } from 'node:crypto'
import type { AuditEvent, ChainLink } from '@flamegate/operations/ports'
import { storableText } from '../storable.ts'

/** What the first event of a chain says came before it. */
export const genesisHash = '0'.repeat(64)

/** The last event of a chain, as the next one needs it. */
export type ChainHead = Pick<ChainLink, 'writerId' | 'sequence' | 'hash'>

export interface LinkedEvent extends AuditEvent {
  link: ChainLink
}

/** A chain without events yet. */
export function newChain(writerId: string): ChainHead {
  return { writerId, sequence: 0, hash: genesisHash }
}

/** Puts events behind the head, in their order. Their texts become what Postgres will give back. */
export function linkEvents(head: ChainHead, events: readonly AuditEvent[]): LinkedEvent[] {
  let last = head
  return events.map((raw) => {
    const event = storableEvent(raw)
    const place = { writerId: head.writerId, sequence: last.sequence + 1, previousHash: last.hash }
    const link = { ...place, hash: hashOf(event, place) }
    last = link
    return { ...event, link }
  })
}

/**
 * SHA-256, in hex, of the event and its place as a JSON list without white space, in this order: the time is ISO 8601
 * in UTC with milliseconds, numbers are the shortest that read back the same. Last comes the browser, where there is
 * one: events from before it was stored are hashed as they were.
 */
export function hashOf(event: AuditEvent, place: Omit<ChainLink, 'hash'>): string {
  return hash(
    'sha256',
    JSON.stringify([
      place.previousHash,
      place.writerId,
      place.sequence,
      event.id,
      event.workspaceId,
      event.userId,
      event.via,
      event.clientId,
      event.clientName,
      event.operation,
      event.effect,
      event.target,
      event.argumentsDigest,
      event.decision,
      event.outcome,
      event.status,
      event.durationMs,
      event.answerBytes,
      event.requestId,
      event.traceId,
      event.ip,
      event.at.toISOString(),
      ...(event.userAgent === null ? [] : [event.userAgent]),
    ]),
  )
}

function storableEvent(event: AuditEvent): AuditEvent {
  return {
    ...event,
    clientId: storableText(event.clientId),
    clientName: storableText(event.clientName),
    requestId: storableText(event.requestId),
    ip: storableText(event.ip),
    target: event.target === null ? null : storableText(event.target),
    userAgent: event.userAgent === null ? null : storableText(event.userAgent),
  }
}
