import { wordsOf } from '../action-failure.ts'
import { TargetRefused } from '../ports.ts'
import type { QuestionKind, Questions, ProcessMessage } from './messages.ts'

export type Answerers = {
  [Kind in QuestionKind]?: (of: Questions[Kind]['of']) => Promise<Questions[Kind]['answer']>
}

/** Somebody who asked. */
interface Waiting {
  resolve: (value: never) => void
  reject: (error: Error) => void
}

/** Questions and answers between two processes, in both directions. */
export class Conversation {
  readonly #post: (message: object) => void
  readonly #answerers: Answerers
  readonly #open = new Map<number, Waiting>()
  #asked = 0

  constructor(post: (message: object) => void, answerers: Answerers) {
    this.#post = post
    this.#answerers = answerers
  }

  /** @throws what the other side threw: a TargetRefused, or an Error with its message */
  ask<Kind extends QuestionKind>(kind: Kind, of: Questions[Kind]['of']): Promise<Questions[Kind]['answer']> {
    const number = this.#asked++
    const open = Promise.withResolvers<Questions[Kind]['answer']>()
    this.#open.set(number, open)
    this.#post({ type: 'question', number, kind, of })
    return open.promise
  }

  /** Takes what came from the other side; false where it is no question and no answer. */
  take(message: ProcessMessage): boolean {
    if (message.type === 'question') void this.#answer(message.number, message.kind, message.of)
    else if (message.type === 'answer') this.#settle(message.number)?.resolve(message.value)
    else if (message.type === 'refusal') {
      const error =
        message.kind === 'target' ? new TargetRefused(message.message) : new Error(message.message)
      this.#settle(message.number)?.reject(error)
    } else return false
    return true
  }

  async #answer(number: number, kind: QuestionKind, of: never): Promise<void> {
    const answerer = this.#answerers[kind]
    try {
      if (answerer === undefined) throw new TypeError(`Nobody answers ${kind} here.`)
      this.#post({ type: 'answer', number, value: await answerer(of) })
    } catch (error) {
      const isTarget = error instanceof TargetRefused
      this.#post({ type: 'refusal', number, message: wordsOf(error), kind: isTarget ? 'target' : 'other' })
    }
  }

  #settle(number: number): Waiting | undefined {
    const open = this.#open.get(number)
    this.#open.delete(number)
    return open
  }
}
