import { asList, asObject } from '../../json/json-values.ts'
import type { Draft, Fate } from './draft.ts'
import { newFate } from './draft.ts'
import { textOf } from './har-values.ts'

/** Something that happened on a WebSocket, at a time of its own among the requests. */
export interface SocketEvent {
  draft: Draft
  /** Name of the connection in the virtual user. */
  connection: string
  startMs: number
  endMs: number
  what:
    | { operation: 'connect' }
    | { operation: 'send'; format: 'text' | 'base64'; message: string; fate: Fate }
    /** Messages that came one after the other are waited for as one. */
    | { operation: 'expect'; fates: Fate[] }
    | { operation: 'close' }
}

const text = 1
const binary = 2

/** What happened on the socket of an entry, in order, and the fate of each of its messages. */
export function socketEvents(draft: Draft, connection: string): { events: SocketEvent[]; fates: Fate[] } {
  const { startMs } = draft
  const events: SocketEvent[] = []
  const fates: Fate[] = []
  const add = (atMs: number, what: SocketEvent['what']) =>
    events.push({ draft, connection, startMs: atMs, endMs: atMs, what })
  add(startMs, { operation: 'connect' })
  let lastMs = startMs
  for (const [index, value] of asList(draft.messages).entries()) {
    const message = asObject(value)
    const data = textOf(message['data']) ?? ''
    const isSent = message['type'] === 'send'
    const name = `${isSent ? 'send' : 'receive'} ${data.slice(0, 80)}`.trimEnd()
    const fate = newFate(`${draft.fate.place}._webSocketMessages[${index}]`, name)
    fates.push(fate)
    lastMs = Math.max(lastMs, timeOf(message['time']) ?? lastMs)
    const opcode = message['opcode'] ?? text
    if (message['type'] !== 'send' && message['type'] !== 'receive') {
      fate.dropped = 'It does not say whether it was sent or received.'
    } else if (opcode !== text && opcode !== binary) {
      fate.dropped = 'It is no message of the application: pings, pongs and closing come by themselves.'
    } else if (isSent) {
      const format = opcode === binary ? 'base64' : 'text'
      add(lastMs, { operation: 'send', format, message: data, fate })
    } else {
      const last = events.at(-1)
      if (last?.what.operation === 'expect') last.what.fates.push(fate)
      else add(lastMs, { operation: 'expect', fates: [fate] })
    }
  }
  add(Math.max(lastMs, draft.endMs), { operation: 'close' })
  return { events, fates }
}

/** Chrome writes seconds since 1970, Playwright milliseconds. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value > 0) || value > 8.64e15) return undefined
  return value < 1e11 ? value * 1000 : value
}
