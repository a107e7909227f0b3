import type { ResultDraft } from '../program/result-draft.ts'
import { shown } from '../program/result-draft.ts'
import type { User } from '../program/user.ts'
import type { CompiledAssertion } from '../response/assert.ts'
import type { CompiledExtractor } from '../response/extract.ts'
import type { Received } from '../response/received.ts'

/** Takes out of an answer what is to be taken, and holds it against what must be. `received`: the newest first. */
export function checkResponse(
  user: User,
  draft: ResultDraft,
  received: readonly Received[],
  checks: { extractors: readonly CompiledExtractor[]; assertions: readonly CompiledAssertion[] },
): void {
  const [last] = received
  if (last === undefined) return
  const expand = user.expand.bind(user)
  for (const assert of checks.assertions) {
    const asserted = assert(last, expand)
    draft.assertions.push(asserted)
    if (asserted.outcome === 'failed') draft.fail(asserted.message)
  }
  const context = {
    random: user.random,
    expand,
    cookie: (name: string, url: string) => user.http.cookies?.value(name, url),
  }
  for (const extract of checks.extractors) {
    const { id, variable, outcome, value, problem } = extract(received, context)
    draft.extractors.push({ id, variable, outcome, value: value === null ? null : shown(value) })
    if (value !== null) user.set(draft, variable, value)
    else {
      const words = problem ?? `Nothing was found for ${variable}.`
      user.variables.lose(variable, words)
      draft.fail(words)
    }
  }
}
