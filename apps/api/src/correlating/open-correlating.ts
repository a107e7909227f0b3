import { Problem } from '@flamegate/contract'
import type {
  Correlating,
  CorrelationAnswer,
  CorrelationQuestion,
  CorrelationQuestionName,
} from '@flamegate/operations/ports'
import { AskedThread, ThreadLimitError, type ThreadOptions } from '../threads/asked-thread.ts'
import { withOwnBuffer } from '../threads/own-buffer.ts'
import { Turns } from '../threads/turns.ts'

const mostAtOnce = 20

/** Looks for dynamic values beside the event loop, one virtual user after the other: their recordings are in memory meanwhile. */
export function openCorrelating(options: Partial<ThreadOptions> = {}): Correlating {
  const { threadFile = new URL('correlation-thread.ts', import.meta.url), timeoutMs } = options
  const thread = new AskedThread({ threadFile, timeoutMs })
  const turns = new Turns(
    mostAtOnce,
    () =>
      new Problem('unavailable', 'Many recordings are being looked into. Try again in 10 seconds.', {
        retryAfterSeconds: 10,
      }),
  )
  return { ask: (question) => turns.take(() => answerOf(thread, question)) }
}

async function answerOf<Name extends CorrelationQuestionName>(
  thread: AskedThread,
  question: CorrelationQuestion<Name, () => Promise<Uint8Array>>,
): Promise<CorrelationAnswer<Name>> {
  const { recording, replays } = question
  const [bytes, ...replayBytes] = await Promise.all(
    [recording, ...replays].map(async (file) => withOwnBuffer(await file.bytes())),
  )
  const message = {
    ...question,
    recording: { ...recording, bytes },
    replays: replays.map((replay, index) => ({ ...replay, bytes: replayBytes[index] })),
  }
  const given = [bytes, ...replayBytes].flatMap((each) => (each === undefined ? [] : [each.buffer]))
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `correlation-thread.ts` sends
    return (await thread.ask(message, given)) as CorrelationAnswer<Name>
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    throw new Problem(
      'too_large',
      `The recording cannot be looked into. ${error.message} Disable rules whose patterns try many ways, or record fewer steps.`,
      { cause: error },
    )
  }
}
