import type { Extractor } from '@flamegate/loadtest'
import { ActionFailure, wordsOf } from '../action-failure.ts'
import type { CompiledTemplate, Value } from '../program/compiled-template.ts'
import type { Compiler } from '../program/compiler.ts'
import type { Random } from '../random.ts'
import { compileFinder, finderWords, findOrFail, placeWords } from './find-values.ts'
import type { FindValues } from './find-values.ts'
import type { Received } from './received.ts'

/** What an extractor may use of the user that it works for. */
export interface ExtractContext {
  random: Random
  expand: (template: CompiledTemplate) => string
  /** Value of a cookie that the user has for the address; undefined where it has none. */
  cookie: (name: string, url: string) => string | undefined
}

export interface Extracted {
  id: string
  variable: string
  outcome: 'found' | 'default' | 'missing'
  /** Null where it is missing. */
  value: Value | null
  /** Why nothing was found; null where something was. */
  problem: string | null
}

export type CompiledExtractor = (received: readonly Received[], context: ExtractContext) => Extracted

/**
 * Compiles the extractors that are switched on. Each looks into the last answer first, and where nothing is found there, into the
 * redirects before it, the newest first.
 */
export function compileExtractors(extractors: readonly Extractor[], compiler: Compiler): CompiledExtractor[] {
  return extractors.filter(({ enabled }) => enabled).map((extractor) => compileExtractor(extractor, compiler))
}

function compileExtractor(extractor: Extractor, compiler: Compiler): CompiledExtractor {
  const { id, variable } = extractor
  const fallback = extractor.default === null ? null : compiler.template(extractor.default)
  const what = finderWords(extractor)
  const find = finderOr(extractor, what)
  return (answers, context) => {
    const { value, problem } =
      typeof find === 'string' ? { value: null, problem: find } : take(find, answers, context)
    if (value !== null) return { id, variable, outcome: 'found', value, problem: null }
    if (fallback !== null)
      return { id, variable, outcome: 'default', value: context.expand(fallback), problem }
    return { id, variable, outcome: 'missing', value: null, problem }
  }

  function take(finder: FindValues, answers: readonly Received[], context: ExtractContext) {
    let problem: string | null = null
    for (const received of answers) {
      try {
        const values = findOrFail(finder, received, what)
        const cookie = extractor.type === 'cookie' ? context.cookie(extractor.name, received.url) : undefined
        if (values.length === 0 && cookie !== undefined) values.push(cookie)
        const value = choose(values, extractor.match, context.random)
        if (value !== undefined) return { value, problem: null }
        problem ??=
          values.length === 0
            ? `${what} found nothing in ${placeWords(extractor, received)}`
            : `${what} found ${values.length}, and number ${extractor.match} was asked for`
      } catch (error) {
        if (!(error instanceof ActionFailure)) throw error
        problem ??= error.message
      }
    }
    return { value: null, problem: problem ?? `${what} had no answer to look into.` }
  }
}

/** The words of what is wrong with it, where something is. */
function finderOr(extractor: Extractor, what: string): FindValues | string {
  try {
    return compileFinder(extractor)
  } catch (error) {
    return `${what} cannot be read: ${wordsOf(error)}`
  }
}

function choose(values: string[], match: Extractor['match'], random: Random): Value | undefined {
  if (values.length === 0) return undefined
  if (match === 'all') return values
  return values[match === 'random' ? random.below(values.length) : match - 1]
}
