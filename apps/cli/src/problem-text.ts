import type { ApiProblem } from '@flamegate/client'

/** A refusal of the API for people: what, why, which fields, and the id to ask about. */
export function renderProblem(problem: ApiProblem): string {
  return [
    `${problem.title} (${problem.code}).`,
    ...(problem.message === problem.title ? [] : [problem.message]),
    ...problem.errors.map((error) => `  ${error.field}: ${error.message}`),
    ...(problem.retryAfterSeconds === undefined ? [] : [`Try again in ${problem.retryAfterSeconds} s.`]),
    ...(problem.requestId === undefined ? [] : [`Request ${problem.requestId}`]),
  ].join('\n')
}
