import type { Locator } from '../../model/page.ts'
import { locatorBy, xpathText } from '../browser/locators.ts'
import { own } from '../browser/own.ts'
import { Unmapped } from '../browser/telling.ts'
import { textOfRegex } from './regex-text.ts'
import { parseSelector, selectorOf } from './selector.ts'
import { type Arguments, asText, unknownValue, type Value } from './values.ts'

type Note = (text: string) => void

/** Where a locator looks: from `within`, or else from the page, through the frames inwards. */
interface Base {
  within: Locator | null
  frames: readonly string[]
}

/** Locators inside one another, at most. */
const depthMax = 50

const ways: Readonly<Record<string, Locator['by']>> = {
  getByRole: 'role',
  getByLabel: 'label',
  getByText: 'text',
  getByPlaceholder: 'placeholder',
  getByTestId: 'test_id',
  getByTitle: 'title',
  getByAltText: 'alt_text',
}

/** What `page.getByRole(…)`, `page.locator(…)` and their like find; undefined for other methods. */
export function findLocator(base: Base, method: string, given: Arguments, note: Note): Locator | undefined {
  const by = own(ways, method)
  if (by !== undefined) return inside(base, getBy(by, given, note))
  if (method !== 'locator' && method !== '$') return undefined
  const first = given.at(0) ?? given.option('selector')
  if (first?.kind === 'locator')
    return first.locator.within === null ? inside(base, first.locator) : undefined
  const text = asText(first)
  if (text === undefined) throw unknownValue(first)
  return filtered(inside(base, parseSelector(text.template)), given, note)
}

/** What `.filter(…)`, `.first()`, `.nth(…)` and the like make of a locator; undefined for other methods. */
export function narrowLocator(
  locator: Locator,
  method: string,
  given: Arguments,
  note: Note,
): Locator | undefined {
  if (method === 'first') return chosen(locator, 0)
  if (method === 'last') return chosen(locator, -1)
  if (method === 'nth') {
    const index = given.at(0) ?? given.option('index')
    if (index?.kind !== 'number' || !Number.isInteger(index.number)) throw unknownValue(index)
    return chosen(locator, index.number)
  }
  if (method === 'filter') return filtered(locator, given, note)
  if (method === 'describe') return locator
  if (method === 'or' || method === 'and' || method === 'or_' || method === 'and_')
    throw new Unmapped(
      `Locators that are put together with ${method}() cannot be imported. Write one locator for both.`,
    )
  return findLocator({ within: locator, frames: [] }, method, given, note)
}

/** Where to look for what is in the frame that a locator finds. */
export function frameOf({ within, frames, ...rest }: Locator): Base {
  return { within, frames: [...frames, selectorOf({ ...rest, within: null, frames: [] })] }
}

function getBy(by: Locator['by'], given: Arguments, note: Note): Locator {
  const isExact = given.isTrue('exact')
  if (by === 'role') {
    const role = given.text(0, 'role')
    const name = given.option('name')
    const states = [
      'checked',
      'disabled',
      'expanded',
      'level',
      'pressed',
      'selected',
      'includeHidden',
      'description',
    ]
    const left = states.filter((state) => given.option(state) !== undefined)
    if (left.length > 0) note(`Of the role, ${left.join(', ')} is not looked at.`)
    if (name === undefined) return locatorBy('role', role)
    const { text, exact } = wording(name, isExact, note)
    return locatorBy('role', role, { name: text, exact })
  }
  const { text, exact } = wording(
    given.at(0) ?? given.option('text') ?? given.option('testId'),
    isExact,
    note,
  )
  // A test id is always the whole of it.
  return locatorBy(by, text, { exact: by === 'test_id' ? false : exact })
}

/** A text to look for. Of a regular expression it is the plain text in it. */
function wording(value: Value | undefined, isExact: boolean, note: Note): { text: string; exact: boolean } {
  if (value?.kind === 'regex') {
    const found = textOfRegex(value)
    if (found === undefined)
      throw new Unmapped(
        `The expression /${value.source}/ has no plain text in it that could be looked for instead.`,
      )
    note(
      `"${found.text}" is looked for${found.isWhole ? ' as a whole' : ''} in place of the expression /${value.source}/${value.flags}.`,
    )
    return { text: found.text.replaceAll('${', '$${'), exact: found.isWhole }
  }
  const text = asText(value)
  if (text === undefined) throw unknownValue(value)
  return { text: text.template, exact: isExact }
}

function filtered(locator: Locator, given: Arguments, note: Note): Locator {
  for (const name of ['has', 'hasNot', 'hasNotText', 'visible'])
    if (given.option(name) !== undefined)
      throw new Unmapped(
        `A locator with the filter "${name}" cannot be imported. Write one that finds the element by itself.`,
      )
  const hasText = given.option('hasText')
  if (hasText === undefined) return locator
  const { text, exact } = wording(hasText, false, note)
  if (!exact)
    return locator.has_text === null && locator.nth === null
      ? { ...locator, has_text: text }
      : itself(locator, { has_text: text })
  return locatorBy('xpath', `self::*[normalize-space(.)=${xpathText(text)}]`, { within: locator })
}

function chosen(locator: Locator, nth: number): Locator {
  if (locator.nth === null) return { ...locator, nth }
  if (nth === 0 || nth === -1) return locator
  throw new Unmapped('It chooses an element among those of which one is chosen already.')
}

/** The same element, of which more is said. */
function itself(locator: Locator, more: Partial<Locator>): Locator {
  return locatorBy('xpath', 'self::*', { within: locator, ...more })
}

/** Puts a locator, which may be inside others already, inside of where it is looked for. */
function inside({ within, frames }: Base, locator: Locator): Locator {
  if (depthOf(within) + depthOf(locator) > depthMax)
    throw new Unmapped(`Locators are inside one another more than ${depthMax} times.`)
  if (frames.length + locator.frames.length > 10)
    throw new Unmapped('Frames are inside one another more than 10 times.')
  if (locator.within !== null) return { ...locator, within: inside({ within, frames }, locator.within) }
  return { ...locator, within, frames: [...frames, ...locator.frames] }
}

function depthOf(locator: Locator | null): number {
  let depth = 0
  for (let next = locator; next !== null; next = next.within) depth++
  return depth
}
