import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ProtocolRefusal } from './fixture.ts'

const key = randomBytes(32)

/** What a client is to bring back unchanged: `<text>.<HMAC>`. */
export function sealState(text: string): string {
  return `${text}.${macOf(text)}`
}

/** @throws ProtocolRefusal -32602 when it is not as it was sealed */
export function openState(state: unknown): string {
  const [, text, mac] = /^(.*)\.([^.]*)$/s.exec(typeof state === 'string' ? state : '') ?? []
  if (text === undefined || mac === undefined || !isSame(mac, macOf(text))) {
    throw new ProtocolRefusal(-32_602, 'The request state is not ours.')
  }
  return text
}

function macOf(text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
