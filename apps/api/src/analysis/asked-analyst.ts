import { Problem } from '@flamegate/contract'
import type { AskedQuestion } from '@flamegate/operations/ports'
import {
  errorFromData,
  type Question,
  type QuestionName,
  type StoredPart,
} from '@flamegate/profiles/analysis'
import {
  AskedThread,
  ThreadDiedError,
  ThreadLimitError,
  type ThreadOptions,
} from '../threads/asked-thread.ts'
import { withOwnBuffer } from '../threads/own-buffer.ts'
import { Turns } from '../threads/turns.ts'
import type { AnalysisReply, AnalysisRequest } from './messages.ts'

const mostAtOnce = 50

/** An analyst in a thread of its own. */
export class AskedAnalyst {
  private readonly thread: AskedThread
  private readonly turns = new Turns(
    mostAtOnce,
    () =>
      new Problem(
        'unavailable',
        'Many questions about large profiles are being answered. Try again in 5 seconds.',
        {
          retryAfterSeconds: 5,
        },
      ),
  )

  constructor(options: ThreadOptions) {
    this.thread = new AskedThread(options)
  }

  /** Questions come one after the other, also while one of them reads what it needs: so nothing is let go of in between. */
  ask(asked: AskedQuestion<QuestionName>): Promise<unknown> {
    return this.turns.take(async () => {
      try {
        return await this.answerOf(asked).catch((error: unknown) => {
          // It may have been another question's fault; if it is this one's, it happens again.
          if (error instanceof ThreadDiedError) return this.answerOf(asked)
          throw error
        })
      } catch (error) {
        if (error instanceof ThreadLimitError) throw tooLarge(error)
        throw error
      }
    }, asked.signal)
  }

  private async answerOf({
    name,
    subjects,
    params,
    read,
    signal,
  }: AskedQuestion<QuestionName>): Promise<unknown> {
    const question: Question = { name, subjects, params }
    let reply = await this.replyTo({ question, given: [] })
    if ('missing' in reply) {
      const given = await Promise.all(
        reply.missing.map(async (part): Promise<StoredPart> => {
          const bytes = await read(part)
          return { ...part, bytes: bytes && withOwnBuffer(bytes) }
        }),
      )
      signal?.throwIfAborted()
      reply = await this.replyTo({ question, given })
    }
    if ('error' in reply) throw errorFromData(reply.error)
    if ('missing' in reply) throw new TypeError(`${name} was given what it needs`)
    return reply.answer
  }

  private async replyTo(request: AnalysisRequest): Promise<AnalysisReply> {
    const buffers = request.given.flatMap(({ bytes }) =>
      bytes?.buffer instanceof ArrayBuffer ? bytes.buffer : [],
    )
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `analysis-thread.ts` sends
    return (await this.thread.ask(request, buffers)) as AnalysisReply
  }
}

function tooLarge(cause: ThreadLimitError): Problem {
  return new Problem(
    'too_large',
    `This cannot be answered for a profile of this size. ${cause.message} Ask about a part of its samples, or about fewer profiles.`,
    { cause },
  )
}
