import { own } from '../browser/own.ts'
import type { Pattern } from './syntax.ts'
import { pageOf, type Scope, type Value } from './values.ts'

const functionsOfLanguages: Readonly<Record<string, 'all' | 'run' | 'sleep' | 'getenv'>> = {
  'Promise.all': 'all',
  'asyncio.gather': 'all',
  'asyncio.run': 'run',
  'time.sleep': 'sleep',
  'asyncio.sleep': 'sleep',
  'os.getenv': 'getenv',
}

/** What a function of the language does, by its whole name; undefined for others. */
export function knownFunction(name: string): 'all' | 'run' | 'sleep' | 'getenv' | undefined {
  return own(functionsOfLanguages, name)
}

/** What a module gives under a name. Playwright's own names are known, whichever module passes them on. */
export function importedValue(name: string): Value {
  if (name === 'test' || name === 'it') return { kind: 'test', path: '' }
  if (name === 'expect') return { kind: 'expect' }
  if (/^(?:chromium|firefox|webkit|playwright|request)$/.test(name)) return { kind: 'browser' }
  return { kind: 'unknown', text: name }
}

/** Names that scripts use without saying where they come from: pieces of scripts are read too. */
export function wellKnown(name: string): Value {
  if (name === 'page') return pageOf(0)
  if (name === 'context' || name === 'browser') return { kind: 'browser' }
  if (name === 'request') return { kind: 'requests' }
  return importedValue(name)
}

/** What the runner gives to a test: names of a record in one language, of parameters in the other. */
export function giveFixtures(pattern: Pattern, scope: Scope): void {
  if (pattern.kind === 'name') scope.declare(pattern.name, wellKnown(pattern.name))
  if (pattern.kind !== 'record') return
  for (const { name, pattern: inner } of pattern.entries)
    if (inner.kind === 'name') scope.declare(inner.name, wellKnown(name))
}
