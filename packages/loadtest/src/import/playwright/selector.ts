import type { Locator } from '../../model/page.ts'
import { cssText, locatorBy } from '../browser/locators.ts'
import { oneLine, Unmapped } from '../browser/telling.ts'

const charactersMax = 10_000

/**
 * Reads a selector as `page.locator` takes it (https://playwright.dev/docs/other-locators): CSS, XPath, `text=…`, and several of
 * them with `>>` between, each inside of the one before.
 */
export function parseSelector(selector: string): Locator {
  if (selector.length > charactersMax)
    throw new Unmapped(`The selector is longer than ${charactersMax} characters.`)
  const [first, ...others] = splitParts(selector)
  if (first === undefined) throw new Unmapped('The selector is empty.')
  let found = parsePart(first)
  for (const part of others) {
    const nth = /^nth=(-?\d{1,9})$/.exec(part)?.[1]
    if (nth !== undefined && found.nth === null) found = { ...found, nth: Number(nth) }
    else found = { ...parsePart(part), within: found }
  }
  return found
}

/** A selector for what a locator without `within` and frames finds. */
export function selectorOf(locator: Locator): string {
  const nth = locator.nth === null ? '' : ` >> nth=${locator.nth}`
  const hasText =
    locator.has_text === null ? '' : ` >> internal:has-text=${JSON.stringify(locator.has_text)}i`
  return `${plainSelector(locator)}${hasText}${nth}`
}

function plainSelector({ by, value, name, exact }: Locator): string {
  if (by === 'css') return value
  if (by === 'xpath') return `xpath=${value}`
  if (by === 'test_id') return `[data-testid=${cssText(value)}]`
  const comparison = exact ? '=' : '*='
  const isCased = exact ? '' : ' i'
  if (by === 'title') return `[title${comparison}${cssText(value)}${isCased}]`
  if (by === 'role' && name !== null) return `role=${value}[name${comparison}${cssText(name)}${isCased}]`
  if (by === 'role') return `role=${value}`
  throw new Unmapped(
    'The frame is found by what stands beside it. Find it by its role, its title, or a selector.',
  )
}

const engine = /^(?<name>[a-z][\w-]*(?::[\w-]+)?)=(?<value>[^]*)$/

function parsePart(part: string): Locator {
  const { name, value = '' } = engine.exec(part)?.groups ?? {}
  if (name === undefined) {
    if (/^(?:\(*\/\/|\.\.)/.test(part)) return locatorBy('xpath', part)
    return /^(["']).*\1$/s.test(part) ? textLocator(part) : locatorBy('css', part)
  }
  if (name === 'css') return locatorBy('css', value)
  if (name === 'xpath') return locatorBy('xpath', value)
  if (name === 'text') return textLocator(value)
  if (name === 'id') return locatorBy('css', `[id=${cssText(value)}]`)
  if (/^data-test(?:-id|id)?$/.test(name)) return locatorBy('css', `[${name}=${cssText(value)}]`)
  const role =
    /^(?<role>[a-z]+)(?:\[name\s*=\s*(?<quote>["'])(?<named>.*)\k<quote>(?<insensitive>\s*i)?\])?$/.exec(
      value,
    )?.groups
  if (name === 'role' && role !== undefined)
    return locatorBy('role', role['role']!, {
      name: role['named'] ?? null,
      exact: role['named'] !== undefined && role['insensitive'] === undefined,
    })
  throw new Unmapped(
    `Selectors of the kind "${oneLine(name, 40)}" cannot be imported. Write the locator with CSS or XPath.`,
  )
}

function textLocator(value: string): Locator {
  const text = value.trim()
  const quoted = /^(["'])(.*)\1$/s.exec(text)?.[2]
  if (quoted !== undefined) return locatorBy('text', quoted.replaceAll(/\\(["'\\])/g, '$1'), { exact: true })
  if (/^\/.+\/[a-z]*$/s.test(text))
    throw new Unmapped(
      'A text that is a regular expression within a selector cannot be imported. Write getByText in its place.',
    )
  return locatorBy('text', text)
}

/** Splits at `>>`, but not within quotes. */
function splitParts(selector: string): string[] {
  const parts = ['']
  for (const token of selector.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|>>|[^]/g) ?? []) {
    if (token === '>>') parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
