import { filePath, literal } from '../../model/template.ts'
import type { Locator } from '../../model/page.ts'
import { Unmapped } from '../browser/telling.ts'
import type { StepDraft } from '../browser/user-draft.ts'
import { type Arguments, asText, unknownValue, type Value } from './values.ts'

type Note = (text: string) => void
type StepMaker = (locator: Locator, given: Arguments, note: Note) => StepDraft

/** What methods of locators do (https://playwright.dev/docs/api/class-locator). */
export const locatorSteps: Readonly<Record<string, StepMaker>> = {
  click: (locator, given) => clicked(locator, given, countOf(given)),
  dblclick: (locator, given) => clicked(locator, given, 2),
  tap: (locator, _, note) => {
    note('It is clicked instead of tapped.')
    return { type: 'click', locator, button: 'left', count: 1 }
  },
  fill: (locator, given) => ({ type: 'fill', locator, value: given.text(0, 'value') }),
  clear: (locator) => ({ type: 'fill', locator, value: '' }),
  type: (locator, given) => ({ type: 'type_text', locator, value: given.text(0, 'text') }),
  pressSequentially: (locator, given) => ({ type: 'type_text', locator, value: given.text(0, 'text') }),
  press: (locator, given) => ({ type: 'press', locator, key: keyOf(given) }),
  check: (locator) => ({ type: 'check', locator, checked: true }),
  uncheck: (locator) => ({ type: 'check', locator, checked: false }),
  setChecked: (locator, given) => {
    const checked = given.at(0) ?? given.option('checked')
    if (checked?.kind !== 'boolean') throw unknownValue(checked)
    return { type: 'check', locator, checked: checked.isTrue }
  },
  selectOption: (locator, given) => ({ type: 'select', locator, values: optionsOf(given) }),
  setInputFiles: (locator, given, note) => ({ type: 'set_files', locator, paths: filesOf(given, note) }),
  hover: (locator) => ({ type: 'hover', locator }),
  waitFor: (locator, given) => waitedFor(locator, given),
}

/** Methods of a page or a frame that take a selector first. */
export const selectorMethods = new Set(
  Object.keys(locatorSteps).filter((name) => !/^(?:waitFor|clear|pressSequentially)$/.test(name)),
)

/** Time that is given to a step; null for that of its action. */
export function timeoutOf(given: Arguments): number | null {
  const timeout = given.number('timeout')
  return timeout === undefined || timeout < 1 ? null : Math.min(Math.round(timeout), 600_000)
}

export function waitedFor(locator: Locator, given: Arguments): StepDraft {
  const state = given.option('state')
  const text = asText(state)?.template ?? 'visible'
  if (text !== 'visible' && text !== 'hidden' && text !== 'attached' && text !== 'detached')
    throw unknownValue(state)
  return { type: 'wait_for', locator, state: text, url: null, load_state: null }
}

/** A key or several at once, as `press` takes them. */
export function keyOf(given: Arguments): string {
  const key = given.text(0, 'key')
  if (key === '' || key.length > 100) throw new Unmapped('This is no key.')
  return key
}

function clicked(locator: Locator, given: Arguments, count: number): StepDraft {
  const said = asText(given.option('button'))?.template
  const button = said === 'right' || said === 'middle' ? said : 'left'
  return { type: 'click', locator, button, count }
}

function countOf(given: Arguments): number {
  const count = given.number('clickCount') ?? 1
  return Number.isInteger(count) && count >= 1 && count <= 3 ? count : 1
}

/** Options are given as texts that are a value or a label, or as records that say which of them it is. */
function optionsOf(given: Arguments): string[] {
  const first = given.at(0) ?? given.option('value') ?? given.option('label') ?? given.option('index')
  const items = first?.kind === 'list' ? first.items : [first]
  if (items.length > 100) throw new Unmapped('More than 100 options are chosen at once.')
  return items.map(optionOf)
}

function optionOf(value: Value | undefined): string {
  const said = value?.kind === 'record' ? (value.entries.get('value') ?? value.entries.get('label')) : value
  if (said?.kind === 'text') return said.template
  if (said === undefined || said.kind === 'number')
    throw new Unmapped(
      'An option that is chosen by its place cannot be imported. Choose it by its value or its label.',
    )
  throw unknownValue(said)
}

function filesOf(given: Arguments, note: Note): string[] {
  const first = given.at(0) ?? given.option('files')
  const items = first?.kind === 'list' ? first.items : [first]
  return items.map((item) => {
    const path = asText(item)?.plain
    if (path === undefined) throw unknownValue(item)
    const name = literal(path)
      .replace(/^(?:[a-z]:)?(?:\.{0,2}[/\\])*/i, '')
      .replaceAll('\\', '/')
    if (!filePath.safeParse(name).success)
      throw new Unmapped('The path of the file cannot be that of a project file.')
    note(`Upload the project file "${name}".`)
    return name
  })
}
