import type { Locator } from '../../model/page.ts'
import { literal } from '../../model/template.ts'
import { editable, locatorBy } from '../browser/locators.ts'
import { own } from '../browser/own.ts'
import { Unmapped } from '../browser/telling.ts'
import type { StepDraft } from '../browser/user-draft.ts'
import { timeoutOf } from './locator-steps.ts'
import { reasonFor } from './reasons.ts'
import { type Arguments, asText, type Reading, type Regex, unknownValue, type Value } from './values.ts'

type Note = (text: string) => void
type Expected = Extract<StepDraft, { type: 'expect' }>
type What = Expected['what']

export interface Comparison {
  comparison: 'equals' | 'contains' | 'matches'
  expected: string
}

/** Matchers of a state: what is looked at, and whether it must not be so. */
const states: Readonly<Record<string, What>> = {
  toBeVisible: 'visible',
  toBeHidden: 'hidden',
  toBeChecked: 'checked',
  toBeEnabled: 'enabled',
  toBeDisabled: 'disabled',
}

/** Matchers of a text, with how it is compared when it is not a regular expression. */
const texts: Readonly<
  Record<string, [what: What, comparison: 'equals' | 'contains', attribute: string | null]>
> = {
  toHaveText: ['text', 'equals', null],
  toContainText: ['text', 'contains', null],
  toHaveValue: ['value', 'equals', null],
  toHaveId: ['attribute', 'equals', 'id'],
  toHaveClass: ['attribute', 'equals', 'class'],
  toContainClass: ['attribute', 'contains', 'class'],
  toHaveRole: ['attribute', 'equals', 'role'],
}

/** What `expect(locator).toBeVisible()` and its like wait for (https://playwright.dev/docs/test-assertions). */
export function expectOfLocator(
  locator: Locator,
  matcher: string,
  isNegated: boolean,
  given: Arguments,
  note: Note,
): StepDraft {
  const timeout_ms = timeoutOf(given)
  const state = own(states, matcher)
  if (state !== undefined) {
    // toBeChecked({ checked: false }), toBeVisible({ visible: false })
    const wanted = given.option(matcher.slice('toBe'.length).toLowerCase())
    const isOpposite = wanted?.kind === 'boolean' && !wanted.isTrue
    return { ...expected(locator, state, isNegated !== isOpposite), timeout_ms }
  }
  const text = own(texts, matcher)
  if (text !== undefined) {
    const [what, comparison, attribute] = text
    if (matcher === 'toHaveRole')
      note('The attribute is looked at, not the role that an element has by itself.')
    const value = given.at(0) ?? given.option('expected')
    const compared = insensitive(comparisonOf(comparison, value), given)
    return { ...expected(locator, what, isNegated), attribute, ...compared, timeout_ms }
  }
  switch (matcher) {
    case 'toHaveCount': {
      const count = given.at(0) ?? given.option('count')
      if (count?.kind !== 'number') throw unknownValue(count)
      return { ...expected(locator, 'count', isNegated), expected: String(count.number), timeout_ms }
    }
    case 'toHaveAttribute': {
      const attribute = given.text(0, 'name')
      const value = given.at(1) ?? given.option('value')
      if (value === undefined) {
        const having = locatorBy('xpath', `self::*[@${attributeName(attribute)}]`, { within: locator })
        return { ...expected(having, 'count', isNegated), expected: '1', timeout_ms }
      }
      return {
        ...expected(locator, 'attribute', isNegated),
        attribute,
        ...comparisonOf('equals', value),
        timeout_ms,
      }
    }
    case 'toBeAttached':
      return {
        type: 'wait_for',
        locator,
        state: isNegated ? 'detached' : 'attached',
        url: null,
        load_state: null,
        timeout_ms,
      }
    case 'toBeEditable':
      note('Whether it is read-only or disabled is read from its own attributes.')
      return { ...expected(editable(locator), 'count', isNegated), expected: '1', timeout_ms }
    case 'toBeEmpty':
      note('It is taken for a field, whose value is looked at.')
      return { ...expected(locator, 'value', isNegated), timeout_ms }
    default:
      throw new Unmapped(reasonFor(matcher))
  }
}

/** `expect(page).toHaveURL()`, `expect(page).toHaveTitle()` */
export function expectOfPage(
  matcher: string,
  isNegated: boolean,
  given: Arguments,
  absolute: (url: string) => string,
): StepDraft {
  const value = given.at(0) ?? given.option(matcher === 'toHaveURL' ? 'url' : 'title')
  const timeout_ms = timeoutOf(given)
  if (matcher === 'toHaveTitle')
    return { ...expected(null, 'title', isNegated), ...comparisonOf('equals', value), timeout_ms }
  if (matcher !== 'toHaveURL') throw new Unmapped(reasonFor(matcher))
  const compared = comparisonOf('equals', value)
  if (compared.comparison === 'equals') compared.expected = absolute(compared.expected)
  return { ...expected(null, 'url', isNegated), ...insensitive(compared, given), timeout_ms }
}

/** `expect(await page.title()).toBe('Shop')`; undefined for what is read of a response. */
export function expectOfReading(
  reading: Reading,
  matcher: string,
  isNegated: boolean,
  given: Arguments,
): StepDraft | undefined {
  const { what, locator, attribute } = reading
  if (what === 'status' || what === 'ok' || what === 'body') return undefined
  const isState =
    what === 'visible' || what === 'hidden' || what === 'checked' || what === 'enabled' || what === 'disabled'
  if (isState) return expected(locator, what, isNegated !== !truthOf(matcher, given))
  return { ...expected(locator, what, isNegated), attribute, ...comparedBy(matcher, given) }
}

/** Whether a matcher like toBeTruthy or toBe(false) wants what is looked at to be true. */
export function truthOf(matcher: string, given: Arguments): boolean {
  if (matcher === 'toBeTruthy') return true
  if (matcher === 'toBeFalsy') return false
  const value = given.at(0)
  if (/^to(?:Be|Equal|StrictEqual)$/.test(matcher) && value?.kind === 'boolean') return value.isTrue
  throw new Unmapped(reasonFor(matcher))
}

/** toBe, toContain and toMatch, which compare values. */
export function comparedBy(matcher: string, given: Arguments): Comparison {
  if (/^to(?:Be|Equal|StrictEqual)$/.test(matcher)) return comparisonOf('equals', given.at(0))
  if (matcher === 'toContain') return comparisonOf('contains', given.at(0))
  if (matcher === 'toMatch') return comparisonOf('contains', given.at(0))
  throw new Unmapped(reasonFor(matcher))
}

/** A regular expression as the model has it, where flags stand in it. */
export function patternOf({ source, flags }: Regex): string {
  const kept = flags.replaceAll(/[^ims]/g, '')
  return literal(kept === '' ? source : `(?${kept}:${source})`)
}

function comparisonOf(comparison: 'equals' | 'contains', value: Value | undefined): Comparison {
  if (value?.kind === 'regex') return { comparison: 'matches', expected: patternOf(value) }
  if (value?.kind === 'list')
    throw new Unmapped('A list of texts cannot be expected at once. Expect each of them with nth().')
  const text = asText(value)
  if (text === undefined) throw unknownValue(value)
  return { comparison, expected: text.template }
}

function insensitive(compared: Comparison, given: Arguments): Comparison {
  if (!given.isTrue('ignoreCase')) return compared
  const { comparison, expected: text } = compared
  if (comparison === 'matches') return { comparison, expected: `(?i:${text})` }
  const escaped = text.replaceAll(/[\\^.*+?()[\]|]|\$(?!\{)/g, String.raw`\$&`)
  return {
    comparison: 'matches',
    expected: comparison === 'equals' ? `(?i:^\\s*${escaped}\\s*$)` : `(?i:${escaped})`,
  }
}

function expected(locator: Locator | null, what: What, negate: boolean): Expected {
  return { type: 'expect', locator, what, attribute: null, comparison: 'equals', expected: '', negate }
}

function attributeName(name: string): string {
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) throw new Unmapped('This is no plain name of an attribute.')
  return name
}
