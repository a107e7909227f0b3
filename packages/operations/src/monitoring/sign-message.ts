import { createHmac, randomBytes } from 'node:crypto'

/** Messages of webhooks as Standard Webhooks 1.0 signs them: https://github.com/standard-webhooks/standard-webhooks */

const secretPrefix = 'whsec_'
// The specification allows 24 to 64.
const secretBytes = 32

/** A new secret, as both sides store it. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`
}

/** The headers that prove who sent a body, with one signature for each secret. */
export function signedHeaders(
  message: { id: string; sentAt: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000))
  const signed = `${message.id}.${timestamp}.${message.body}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
  }
}

function hmac(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
