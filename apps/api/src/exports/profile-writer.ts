import { Problem } from '@flamegate/contract'
import type {
  DifferenceRequest,
  ExportOutcome,
  ExportRequest,
  ProfileWriter,
} from '@flamegate/operations/ports'
import { AskedThread, ThreadLimitError, type ThreadOptions } from '../threads/asked-thread.ts'
import { Turns } from '../threads/turns.ts'

const mostAtOnce = 20

/** Writes files beside the event loop, one after the other in a thread. */
export function openProfileWriter(options: Partial<ThreadOptions> = {}): ProfileWriter {
  const { threadFile = new URL('export-thread.ts', import.meta.url), timeoutMs } = options
  const thread = new AskedThread({ threadFile, timeoutMs })
  const turns = new Turns(
    mostAtOnce,
    () =>
      new Problem('unavailable', 'Many profiles are being exported. Try again in 10 seconds.', {
        retryAfterSeconds: 10,
      }),
  )
  return { write: (request) => turns.take(() => outcomeOf(thread, request)) }
}

async function outcomeOf(
  thread: AskedThread,
  request: ExportRequest | DifferenceRequest,
): Promise<ExportOutcome> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `export-thread.ts` sends
    return (await thread.ask(request)) as ExportOutcome
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    const [what, advice] =
      'graph' in request
        ? ['This comparison cannot be exported.', 'Compare fewer profiles, or ask']
        : ['This profile cannot be exported as a whole.', 'Ask for a part of its samples, or']
    throw new Problem('too_large', `${what} ${error.message} ${advice} for another format.`, {
      cause: error,
    })
  }
}
