import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { NoPasskey } from './account/no-passkey.ts'
import { TaskFailed } from './task-failed.ts'

/** An error as people read it. */
export interface ProblemWords {
  title: string
  detail: string
  /** What to quote when asking for help. */
  requestId?: string | undefined
}

/** Puts any thrown value into words; what is not meant for people becomes a general sentence. */
export function problemWords(error: unknown): ProblemWords {
  if (error instanceof ApiProblem) {
    // A refusal explains itself; only our own failures need to be looked up.
    const requestId = error.status >= 500 ? error.requestId : undefined
    return { title: error.title, detail: error.message, requestId }
  }
  if (error instanceof ApiUnreachable) {
    return { title: 'No connection', detail: `${error.message} Check your connection and try again.` }
  }
  if (error instanceof NoPasskey) return { title: 'No passkey', detail: error.message }
  if (error instanceof TaskFailed) return { title: 'Not done', detail: error.message }
  return {
    title: 'This page stopped working',
    detail: 'Reload the page. If it happens again, tell your administrator.',
  }
}

/**
 * Messages by field, for the fields of a form; empty when the error is not about fields. What is wrong with `tags.2` is there under
 * that name, and as of `tags`.
 */
export function fieldMessages(error: unknown): Record<string, string> {
  if (!(error instanceof ApiProblem)) return {}
  return Object.fromEntries(
    error.errors.flatMap(({ field, message }) => [
      [field.split('.')[0] ?? field, message],
      [field, message],
    ]),
  )
}
