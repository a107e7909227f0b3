import type { User } from '../program/user.ts'
import { isStatus } from '../response/assert.ts'
import { jsonKeysOf } from '../response/find-values.ts'
import { scanJson } from '../response/scan-json.ts'
import type { JsonKeys } from '../response/scan-json.ts'
import type { RequestParts } from '../steps/http-request.ts'
import type { ResponseParser } from './response-parser.ts'

/** More of them than these, and it is cheaper to read the JSON as a whole, once. */
const findersMax = 2

interface QuickFinder {
  keys: JsonKeys
  /** Holds the value that has to be there; null where it only has to be there. */
  equals: string | null
  /** Gets the value; null for an assertion. */
  variable: string | null
}

/**
 * The checks of a request, where all of them are such that most answers pass without being made into anything: statuses, and plain
 * JSONPaths. What they do not pass is looked at again as a check does it, which then says what is wrong.
 */
export class QuickChecks {
  /** 1 for those that are allowed. */
  readonly #statuses: Uint8Array
  readonly #finders: readonly QuickFinder[]

  private constructor(statuses: Uint8Array, finders: readonly QuickFinder[]) {
    this.#statuses = statuses
    this.#finders = finders
  }

  /** Undefined where one of the checks needs more. */
  static of({ action, hasStatusAssertion }: RequestParts): QuickChecks | undefined {
    const allowed: (readonly string[])[] = []
    const finders: QuickFinder[] = []
    for (const assertion of action.assertions.filter(({ enabled }) => enabled)) {
      const keys = assertion.type === 'json_path' ? jsonKeysOf(assertion.path) : undefined
      if (assertion.negate) return undefined
      if (assertion.type === 'status') allowed.push(assertion.allowed)
      else if (assertion.type !== 'json_path' || keys === undefined || assertion.equals?.includes('$'))
        return undefined
      else finders.push({ keys, equals: assertion.equals, variable: null })
    }
    for (const extractor of action.extractors.filter(({ enabled }) => enabled)) {
      const keys = extractor.type === 'json_path' ? jsonKeysOf(extractor.path) : undefined
      if (keys === undefined || extractor.match !== 1) return undefined
      finders.push({ keys, equals: null, variable: extractor.variable })
    }
    if (finders.length > findersMax) return undefined
    if (!hasStatusAssertion) allowed.push(['1xx', '2xx', '3xx'])
    const statuses = Uint8Array.from({ length: 600 }, (_, status) =>
      allowed.every((some) => some.some((each) => isStatus(status, each))) ? 1 : 0,
    )
    return new QuickChecks(statuses, finders)
  }

  /** True where all of them passed, and what was to be found is in its variables. */
  pass({ status, bytes, bodyStart, bodyBytes }: ResponseParser, user: User): boolean {
    if (this.#statuses[status] !== 1) return false
    for (const { keys, equals, variable } of this.#finders) {
      const value =
        bytes === null || bodyStart < 0 ? undefined : scanJson(bytes, bodyStart, bodyStart + bodyBytes, keys)
      if (value === undefined || (equals !== null && value !== equals)) return false
      if (variable !== null) user.variables.set(variable, value)
    }
    return true
  }
}
