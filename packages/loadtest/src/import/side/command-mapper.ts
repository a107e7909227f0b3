import type { Locator } from '../../model/page.ts'
import { filePath, variableName } from '../../model/template.ts'
import type { Addresses } from '../browser/addresses.ts'
import { editable, locatorBy } from '../browser/locators.ts'
import { own } from '../browser/own.ts'
import { type Telling, Unmapped } from '../browser/telling.ts'
import type { StepDraft, UserDraft } from '../browser/user-draft.ts'
import { allOf, frameSelector, locatorOf } from './element-target.ts'
import { typedParts } from './keys.ts'
import type { Command } from './project.ts'
import { dialogs, reasonFor, scripts } from './reasons.ts'

type Expected = Extract<StepDraft, { type: 'expect' }>

/**
 * Steps for the commands of Selenium IDE (https://www.selenium.dev/selenium-ide/docs/en/api/commands), but for control flow. It
 * remembers which frame and which window the commands mean.
 */
export class CommandMapper {
  readonly #draft: UserDraft
  readonly #addresses: Addresses
  /** Pages by the names that windows get, in the order in which they open. */
  readonly #windows = new Map<string, number>()
  #frames: string[] = []
  #page = 0
  #pages = 1

  constructor(draft: UserDraft, addresses: Addresses) {
    this.#draft = draft
    this.#addresses = addresses
  }

  map(command: Command, telling: Telling): void {
    this.#draft.isDisabled = command.isDisabled
    try {
      this.#map(command, telling)
    } finally {
      this.#draft.isDisabled = false
    }
    if (command.comment !== '' && telling.actionId !== null) this.#draft.comment(command.comment)
    if (command.opens === null || command.isDisabled) return
    this.#windows.set(command.opens, this.#pages)
    this.#pages++
  }

  #map(command: Command, telling: Telling): void {
    const { name, target, value } = command
    if (name === '') throw new Unmapped('There is no command in this line.')
    const judged = /^(assert|verify)(Not)?([A-Z].*)$/.exec(name)
    const waited = /^waitFor(?:Element)?(Not)?([A-Z]\w*)$/.exec(name)
    if (judged !== null) {
      if (judged[1] === 'verify') telling.note('It ends its action when it fails; verify would go on.')
      return this.#expect(`${judged[2] ?? ''}${judged[3]}`, target, value, telling)
    }
    if (waited !== null) return this.#waitFor(`${waited[1] ?? ''}${waited[2]}`, target, value, telling)
    switch (name) {
      case 'open':
        telling.actionId = this.#draft.open(
          this.#addresses.find(target, command.place, (text) => telling.note(text)),
          telling,
          this.#page,
        )
        // A page that is opened takes the place of its frames.
        this.#frames = []
        return
      case 'click':
        return this.#step(
          { type: 'click', locator: this.#locator(target), button: 'left', count: 1 },
          telling,
        )
      case 'clickAt':
      case 'doubleClickAt':
        telling.note('It is clicked in the middle.')
        return this.#step(
          {
            type: 'click',
            locator: this.#locator(target),
            button: 'left',
            count: name === 'clickAt' ? 1 : 2,
          },
          telling,
        )
      case 'doubleClick':
        return this.#step(
          { type: 'click', locator: this.#locator(target), button: 'left', count: 2 },
          telling,
        )
      case 'type':
      case 'editContent':
        return this.#type(target, value, telling)
      case 'sendKeys':
        return this.#sendKeys(target, value, telling)
      case 'select':
      case 'addSelection':
        if (name === 'addSelection') telling.note('What was chosen before is not kept.')
        return this.#step(
          { type: 'select', locator: this.#locator(target), values: [optionOf(value)] },
          telling,
        )
      case 'check':
      case 'uncheck':
        return this.#step(
          { type: 'check', locator: this.#locator(target), checked: name === 'check' },
          telling,
        )
      case 'mouseOver':
        return this.#step({ type: 'hover', locator: this.#locator(target) }, telling)
      case 'goBack':
        return this.#step({ type: 'go', to: 'back' }, telling)
      case 'goForward':
        return this.#step({ type: 'go', to: 'forward' }, telling)
      case 'refresh':
        return this.#step({ type: 'go', to: 'reload' }, telling)
      case 'pause': {
        const ms = Number(target.trim() === '' ? value : target)
        if (!Number.isFinite(ms)) throw new Unmapped('How long it waits is no number.')
        telling.actionId = this.#draft.pause(ms, telling)
        return
      }
      case 'assert':
      case 'verify':
        return this.#compare(target, value, telling)
      case 'store':
        telling.actionId = this.#draft.add({
          type: 'set_variable',
          name: `Set ${value}`.slice(0, 200),
          variable: nameOf(value),
          value: target,
        })
        return
      case 'storeText':
        return this.#extract(this.#locator(target), null, value, telling)
      case 'storeValue':
        return this.#extract(this.#locator(target), 'value', value, telling)
      case 'storeTitle':
        return this.#extract(locatorBy('css', 'title'), null, value === '' ? target : value, telling)
      case 'storeAttribute': {
        const at = target.lastIndexOf('@')
        if (at === -1) throw new Unmapped('The attribute is missing: write it behind an @.')
        return this.#extract(
          this.#locator(target.slice(0, at)),
          target.slice(at + 1).slice(0, 200),
          value,
          telling,
        )
      }
      case 'storeWindowHandle':
        this.#windows.set(value === '' ? target : value, this.#page)
        return
      case 'selectFrame':
        return this.#selectFrame(target)
      case 'selectWindow':
        return this.#selectWindow(target)
      case 'executeScript':
        return this.#setLiteral(target, value, telling)
      case 'close':
        telling.note('Pages are closed when the iteration ends.')
        return
      default:
        throw new Unmapped(reasonFor(name))
    }
  }

  #type(target: string, value: string, telling: Telling): void {
    const locator = this.#locator(target)
    const file = /^c:\\fakepath\\(.+)$/i.exec(value)?.[1]
    if (file !== undefined) {
      if (!filePath.safeParse(file).success)
        throw new Unmapped('The name of the file cannot be that of a project file.')
      telling.note(`Upload the project file "${file}".`)
      return this.#step({ type: 'set_files', locator, paths: [file] }, telling)
    }
    const [first, ...others] = typedParts(value)
    this.#step(
      { type: 'fill', locator, value: first !== undefined && 'text' in first ? first.text : '' },
      telling,
    )
    for (const part of first !== undefined && 'key' in first ? [first, ...others] : others)
      this.#typePart(locator, part, telling)
  }

  #sendKeys(target: string, value: string, telling: Telling): void {
    const locator = this.#locator(target)
    for (const part of typedParts(value)) this.#typePart(locator, part, telling)
  }

  #typePart(locator: Locator, part: ReturnType<typeof typedParts>[number], telling: Telling): void {
    if ('text' in part) return this.#step({ type: 'type_text', locator, value: part.text }, telling)
    this.#step({ type: 'press', locator, key: part.key }, telling)
  }

  /** What `assert…` and `verify…` look at. */
  #expect(
    what: string,
    target: string,
    value: string,
    telling: Telling,
    timeout_ms: number | null = null,
  ): void {
    const isNot = what.startsWith('Not')
    const expect = (
      about: Partial<Expected> & Pick<Expected, 'what'>,
      locator: Locator | null = this.#locator(target),
    ): void => {
      const step: Expected = {
        type: 'expect',
        locator,
        attribute: null,
        comparison: 'equals',
        expected: '',
        negate: isNot,
        timeout_ms,
        ...about,
      }
      this.#step(step, telling)
    }
    switch (what.replace(/^Not/, '')) {
      case 'Text':
        // A new line is written as \n in the one line of the editor.
        return expect({ what: 'text', expected: value.replaceAll(String.raw`\n`, '\n') })
      case 'Value':
      case 'SelectedValue':
        return expect({ what: 'value', expected: value })
      case 'SelectedLabel':
        return expect(
          { what: 'text', expected: value },
          locatorBy('css', 'option:checked', { within: this.#locator(target), nth: 0 }),
        )
      case 'Title':
        return expect({ what: 'title', expected: target }, null)
      case 'ElementPresent':
        return expect({ what: 'count', expected: '1' })
      case 'ElementNotPresent':
        return expect({ what: 'count', expected: '0' }, allOf(target, this.#frames))
      case 'Checked':
        return expect({ what: 'checked' })
      case 'Visible':
        return expect({ what: 'visible' })
      case 'Editable':
        telling.note('Whether it is read-only or disabled is read from its own attributes.')
        return expect({ what: 'count', expected: '1' }, editable(this.#locator(target)))
      default:
        throw new Unmapped(
          /Alert|Confirmation|Prompt/.test(what) ? dialogs : 'There is no step that looks at this.',
        )
    }
  }

  /** `waitForElementVisible`, with the time that it may take. */
  #waitFor(what: string, target: string, value: string, telling: Telling): void {
    const time = Number(value)
    const timeout_ms =
      value.trim() !== '' && Number.isFinite(time) && time >= 1 ? Math.min(Math.round(time), 600_000) : null
    const state = own(waitedStates, what)
    if (state !== undefined) {
      const locator = state === 'detached' ? allOf(target, this.#frames) : this.#locator(target)
      return this.#step(
        { type: 'wait_for', locator, state, url: null, load_state: null, timeout_ms },
        telling,
      )
    }
    if (what === 'Text') return this.#expect('Text', target, value, telling)
    if (what !== 'Editable' && what !== 'NotEditable')
      throw new Unmapped('There is no step that waits for this.')
    this.#expect(what, target, value, telling, timeout_ms)
  }

  /** Compares a variable, which no step does: a script does it. */
  #compare(target: string, value: string, telling: Telling): void {
    const name = nameOf(target)
    if (value.includes('${'))
      throw new Unmapped('Two variables are compared. Compare one of them with a text.')
    const [variable, expected] = [JSON.stringify(name), JSON.stringify(value)]
    const source = `if (String(vars.get(${variable})) !== ${expected})\n  throw new Error(${JSON.stringify(`${name} is not `)} + ${expected})\n`
    telling.actionId = this.#draft.add({
      type: 'script',
      name: `${name} is ${value}`.slice(0, 200),
      source,
      timeout_ms: 1000,
    })
  }

  /** A script that only gives a text or a number needs not be run. */
  #setLiteral(source: string, variable: string, telling: Telling): void {
    const [, , text, number] =
      /^return\s+(?:(["'])([^"'\\]*)\1|(-?\d+(?:\.\d+)?))(?:\s*;)?$/.exec(source.trim()) ?? []
    const value = text ?? number
    if (value === undefined || variable === '') throw new Unmapped(scripts)
    telling.actionId = this.#draft.add({
      type: 'set_variable',
      name: `Set ${variable}`.slice(0, 200),
      variable: nameOf(variable),
      value,
    })
  }

  #extract(locator: Locator, attribute: string | null, variable: string, telling: Telling): void {
    this.#step({ type: 'extract', locator, attribute, variable: nameOf(variable) }, telling)
  }

  #selectFrame(target: string): void {
    const wanted = target.trim()
    if (wanted === 'relative=parent') this.#frames = this.#frames.slice(0, -1)
    else if (wanted === 'relative=top') this.#frames = []
    else if (this.#frames.length >= 10)
      throw new Unmapped('Frames are inside one another more than 10 times.')
    else this.#frames = [...this.#frames, frameSelector(wanted)]
  }

  /** Windows are known by the names that they get when they open, or by their number. */
  #selectWindow(target: string): void {
    const [, name, number] = /^(?:handle=\$\{([^}]+)\}|win_ser_(local|\d{1,2}))$/.exec(target.trim()) ?? []
    const page =
      number === undefined ? this.#windows.get(name ?? '') : number === 'local' ? 0 : Number(number)
    if (page === undefined || page > 99)
      throw new Unmapped(
        'It is not known which window this is. Store its handle, or let the command that opens it name it.',
      )
    this.#page = page
    this.#frames = []
  }

  #locator(target: string): Locator {
    return locatorOf(target, this.#frames)
  }

  #step(draft: StepDraft, telling: Telling): void {
    const id = this.#draft.step(draft, this.#page)
    telling.actionId ??= id
  }
}

const waitedStates: Readonly<Record<string, 'attached' | 'detached' | 'visible' | 'hidden'>> = {
  Present: 'attached',
  NotPresent: 'detached',
  Visible: 'visible',
  NotVisible: 'hidden',
}

function optionOf(value: string): string {
  const [, by, text] = /^(label|value|id|index)=([^]*)$/.exec(value) ?? []
  if (by === 'id' || by === 'index') throw new Unmapped('Options are chosen by their label or their value.')
  const wanted = text ?? value
  if (/^(?:glob|regexp|regexpi|exact):/.test(wanted))
    throw new Unmapped('Options are chosen by a whole label or value.')
  return wanted
}

/** A name of a variable, also as it is used: `${name}`. */
export function nameOf(text: string): string {
  const name = text.trim().replace(/^\$\{(.*)\}$/, '$1')
  if (!variableName.safeParse(name).success) throw new Unmapped('This is no name of a variable.')
  return name
}
