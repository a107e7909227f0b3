import { createHmac, randomUUID } from 'node:crypto'

export type AlertType = 'high_cpu' | 'high_memory' | 'slow_response' | 'high_error_rate'

export interface PerformanceAlert {
  type: AlertType
  state: 'open' | 'closed'
  /** As it was found: percent, milliseconds or a share. */
  value: number
  threshold: number
  /** UTC, ISO 8601. */
  at: string
  message: string
}

/** Where alerts are posted. With a secret they are signed as Standard Webhooks 1.0 says. */
export interface AlertWebhook {
  url: string
  secret?: string
}

/** What was seen of one thing that may be too much. */
export interface JudgedValue {
  type: AlertType
  /** Null where nothing is known. */
  value: number | null
  threshold: number
  words: (value: number) => string
}

/** Which alerts are open: each is told when it begins, and when it is over. */
export class AlertStates {
  readonly #open = new Set<AlertType>()

  /** What began or ended with these values. @param at UTC, ISO 8601 */
  judge(at: string, judged: readonly JudgedValue[]): PerformanceAlert[] {
    return judged.flatMap(({ type, value, threshold, words }) => {
      // Of nothing that happened, nothing is known: what is open stays open.
      if (value === null || value > threshold === this.#open.has(type)) return []
      const state = value > threshold ? 'open' : 'closed'
      if (state === 'open') this.#open.add(type)
      else this.#open.delete(type)
      return [{ type, state, value, threshold, at, message: words(value) } as const]
    })
  }

  forget(): void {
    this.#open.clear()
  }
}

const attempts = 3
const retryMs = 1000
const requestMs = 10_000

/** As JSON; tried three times. @throws when it was not heard */
export async function sendAlert({ url, secret }: AlertWebhook, alert: PerformanceAlert): Promise<void> {
  const body = JSON.stringify(alert)
  const id = `msg_${randomUUID()}`
  for (let attempt = 1; ; attempt++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature(id, body, secret) },
        body,
        signal: AbortSignal.timeout(requestMs),
      })
      if (response.ok) return
      throw new Error(`It answered ${response.status}.`)
    } catch (error) {
      if (attempt === attempts) throw error
      // oxlint-disable-next-line no-await-in-loop -- it may be back then
      await new Promise((resolve) => setTimeout(resolve, retryMs * attempt).unref())
    }
  }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, as the platform signs its own. */
function signature(id: string, body: string, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const facts = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return facts
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...facts, 'webhook-signature': `v1,${hmac}` }
}
