import type { Told } from '../program/step.ts'
import type { User } from '../program/user.ts'
import type { CompiledAssertion } from '../response/assert.ts'
import type { CompiledExtractor } from '../response/extract.ts'
import type { Received } from '../response/received.ts'

export interface Checks {
  extractors: readonly CompiledExtractor[]
  assertions: readonly CompiledAssertion[]
}

/** Takes out of an answer what is to be taken, and holds it against what must be. `received`: the newest first. */
export function checkResponse(user: User, told: Told, received: readonly Received[], checks: Checks): void {
  const [last] = received
  if (last === undefined) return
  for (const assert of checks.assertions) {
    const asserted = assert(last, user.expand, told.isBrief)
    told.asserted(asserted)
    if (asserted.outcome === 'failed') told.fail(asserted.message, 'assertion')
  }
  for (const extract of checks.extractors) {
    const extracted = extract(received, user.extractContext)
    const { variable, value, problem } = extracted
    told.extracted(extracted)
    if (value !== null) user.set(told, variable, value)
    else {
      const words = problem ?? `Nothing was found for ${variable}.`
      user.variables.lose(variable, words)
      told.fail(words, 'extractor')
    }
  }
}
