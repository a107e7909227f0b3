import { parentPort } from 'node:worker_threads'
import { answerCorrelation } from '@flamegate/operations/answer-correlation'
import type { CorrelationQuestion, CorrelationQuestionName } from '@flamegate/operations/ports'

// A thread that answers one question after the other. What is thrown here is a defect, and ends it.
parentPort?.on('message', (question: CorrelationQuestion<CorrelationQuestionName, Uint8Array>) => {
  void answer(question)
})

async function answer(question: CorrelationQuestion<CorrelationQuestionName, Uint8Array>): Promise<void> {
  const found = await answerCorrelation(question)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(found)
}
