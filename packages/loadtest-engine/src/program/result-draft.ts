import type { Value } from './compiled-template.ts'
import type { ErrorClass } from '@flamegate/series'
import type { ActionResult, ReplayedExchange } from '../ports.ts'
import { newBodyBudget } from '../http/kept-body.ts'
import type { Asserted } from '../response/assert.ts'
import type { Extracted } from '../response/extract.ts'
import type { Told } from './step.ts'

const messagesMax = 200
const messageCharactersMax = 2000
const variablesMax = 200

/** What is known of an action while it runs. */
export class ResultDraft implements Told {
  readonly isBrief = false
  status: number | null = null
  sentBytes = 0
  receivedBytes = 0
  /** Of requests: the first that was sent, and the last answer, as performance.now() tells it; null where none was. */
  sentAt: number | null = null
  answeredAt: number | null = null
  /** Of its time, what went by before it began. */
  preparationMs = 0
  failure: string | null = null
  errorClass: ErrorClass | null = null
  screenshot: Uint8Array | null = null
  trace: Uint8Array | null = null
  readonly assertions: { id: string; outcome: 'passed' | 'failed'; message: string }[] = []
  readonly extractors: {
    id: string
    variable: string
    outcome: 'found' | 'default' | 'missing'
    value: string | null
  }[] = []
  readonly variables: Record<string, string> = {}
  readonly messages: string[] = []
  readonly exchanges: ReplayedExchange[] = []
  readonly bodies = newBodyBudget()
  #variableCount = 0

  /** The first thing that went wrong is why it failed. */
  fail(words: string, errorClass: ErrorClass): void {
    this.failure ??= words
    this.errorClass ??= errorClass
  }

  asserted(asserted: Asserted): void {
    this.assertions.push(asserted)
  }

  extracted({ id, variable, outcome, value }: Extracted): void {
    this.extractors.push({ id, variable, outcome, value: value === null ? null : shown(value) })
  }

  say(message: string): void {
    if (this.messages.length === messagesMax)
      this.messages.push('There were more messages, which are left out.')
    if (this.messages.length > messagesMax) return
    const isLong = message.length > messageCharactersMax
    this.messages.push(isLong ? `${message.slice(0, messageCharactersMax)}…` : message)
  }

  set(variable: string, value: Value): void {
    // A script may set any number.
    if (!Object.hasOwn(this.variables, variable) && ++this.#variableCount > variablesMax) return
    this.variables[variable] = shown(value)
  }

  /** With secrets taken out of every text; bodies of exchanges are without them already. */
  result(
    of: Pick<
      ActionResult,
      | 'sequence'
      | 'iteration'
      | 'actionId'
      | 'type'
      | 'name'
      | 'path'
      | 'startedAt'
      | 'durationMs'
      | 'outcome'
    >,
    redact: (text: string) => string,
  ): ActionResult {
    const { failure, status, sentBytes, receivedBytes, screenshot, trace, exchanges } = this
    return {
      ...of,
      status,
      sentBytes,
      receivedBytes,
      assertions: this.assertions.map((each) => ({ ...each, message: redact(each.message) })),
      extractors: this.extractors.map((each) => ({
        ...each,
        value: each.value === null ? null : redact(each.value),
      })),
      variables: Object.fromEntries(
        Object.entries(this.variables).map(([name, value]) => [name, redact(value)]),
      ),
      failure: failure === null ? null : redact(failure),
      messages: this.messages.map(redact),
      exchanges,
      screenshot,
      trace,
    }
  }
}

const shownCharactersMax = 10_000

/** A list as JSON. */
export function shown(value: Value): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}
