import { parentPort } from 'node:worker_threads'
import { Analyst, errorToData } from '@flamegate/profiles/analysis'
import { withOwnBuffer } from '../threads/own-buffer.ts'
import type { AnalysisReply, AnalysisRequest } from './messages.ts'

/** Two such threads, and what is kept beside them, are well below a gigabyte. */
const keptBytes = 320 * 1024 * 1024

const analyst = new Analyst(keptBytes)

// A thread that answers one question after the other. What a question throws is an answer as well.
parentPort?.on('message', (request: AnalysisRequest) => {
  const reply = replyTo(request)
  if ('answer' in reply && reply.answer instanceof Uint8Array) {
    const bytes = withOwnBuffer(reply.answer)
    parentPort?.postMessage({ answer: bytes }, [bytes.buffer])
    return
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply)
})

function replyTo({ question, given }: AnalysisRequest): AnalysisReply {
  try {
    const missing = given.length > 0 ? [] : analyst.missing(question)
    return missing.length > 0 ? { missing } : { answer: analyst.answer(question, given) }
  } catch (error) {
    return { error: errorToData(error) }
  }
}
