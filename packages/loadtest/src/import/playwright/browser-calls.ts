import type { Locator } from '../../model/page.ts'
import type { Addresses } from '../browser/addresses.ts'
import { locatorBy } from '../browser/locators.ts'
import { own } from '../browser/own.ts'
import { type Telling, Unmapped } from '../browser/telling.ts'
import type { StepDraft, UserDraft } from '../browser/user-draft.ts'
import type { VariableDrafts } from '../variable-drafts.ts'
import type { Environment } from './environment.ts'
import { expectOfLocator, expectOfPage, expectOfReading, patternOf } from './expectations.ts'
import { findLocator, frameOf, narrowLocator } from './find-locator.ts'
import { keyOf, locatorSteps, selectorMethods, timeoutOf, waitedFor } from './locator-steps.ts'
import { reasonFor } from './reasons.ts'
import {
  assertJson,
  assertResponse,
  fetchMethod,
  memberPath,
  requestMethods,
  requestParts,
} from './requests.ts'
import { parseSelector, selectorOf } from './selector.ts'
import {
  Arguments,
  asText,
  listOf,
  nothing,
  pageOf,
  type Reading,
  recordOf,
  type Text,
  unknownValue,
  type Value,
} from './values.ts'

/** Where what a script does goes, at the moment. */
export interface Stage {
  draft: UserDraft
  telling: Telling
  /** Of the statement, counted from 1. */
  line: number
  /** How many popups were opened. */
  popups: number
  /** Whether the first page is in use. */
  hasPage: boolean
}

type Of<Kind extends Value['kind']> = Extract<Value, { kind: Kind }>

/** What calls of Playwright's API come to: steps, requests, assertions, and values to go on with. */
export class BrowserCalls {
  readonly #addresses: Addresses
  readonly #variables: VariableDrafts
  readonly #environment: Environment
  /** Name of the variable that a request's extractor gives a value of its JSON to. */
  readonly #extracted = new Map<string, string>()
  stage: Stage

  constructor(addresses: Addresses, variables: VariableDrafts, environment: Environment, stage: Stage) {
    this.#addresses = addresses
    this.#variables = variables
    this.#environment = environment
    this.stage = stage
  }

  /** What a method gives; undefined where the value has no such method. */
  call(of: Value, method: string, given: Arguments): Value | undefined {
    const result = this.#call(of, method, given)
    const left = given.unasked()
    if (result !== undefined && left.length > 0) this.#note(`Left out: ${left.join(', ')}.`)
    return result
  }

  #call(of: Value, method: string, given: Arguments): Value | undefined {
    if (of.kind === 'page') return this.#ofPage(of, method, given)
    if (of.kind === 'locator') return this.#ofLocator(of, method, given)
    if (of.kind === 'keyboard') return this.#ofKeyboard(of, method, given)
    if (of.kind === 'requests') return this.#ofRequests(method, given)
    if (of.kind === 'response') return this.#ofResponse(of, method)
    if (of.kind === 'expectation') return this.#ofExpectation(of, method, given)
    return of.kind === 'browser' || of.kind === 'unknown' ? this.#ofBrowser(of, method, given) : undefined
  }

  /** What a member gives that is not called. */
  member(of: Value, name: string): Value | undefined {
    switch (of.kind) {
      case 'page':
        if (name === 'keyboard') return { kind: 'keyboard', page: of.page }
        if (name === 'request') return { kind: 'requests' }
        if (name === 'context') return { kind: 'browser' }
        // Python has what `with page.expect_popup() as info` waited for in `info.value`.
        return name === 'value' || name === 'mainFrame' ? of : undefined
      case 'locator':
        return name === 'first' || name === 'last' || name === 'contentFrame'
          ? this.#ofLocator(of, name, new Arguments([]))
          : undefined
      case 'browser':
        return name === 'request' ? { kind: 'requests' } : of
      case 'response':
        return name === 'ok' || name === 'status' ? this.#ofResponse(of, name) : undefined
      case 'json':
        return { ...of, path: memberPath(of.path, name) }
      case 'expectation':
        return name === 'not' ? { ...of, isNegated: !of.isNegated } : undefined
      default:
        return undefined
    }
  }

  /** A value as it can be sent and filled in: what is read of a page or a response becomes a variable. */
  settled(value: Value): Value {
    if (value.kind === 'json') return this.#extractJson(value)
    if (value.kind === 'reading') return this.#extractReading(value)
    if (value.kind === 'list')
      return listOf(
        value.items.map((item) => this.settled(item)),
        '',
      )
    if (value.kind !== 'record') return value
    return recordOf(new Map([...value.entries].map(([name, entry]) => [name, this.settled(entry)])), '')
  }

  pause(ms: Value | undefined, unitMs = 1): Value {
    if (ms?.kind !== 'number') throw unknownValue(ms)
    return this.#done(this.stage.draft.pause(ms.number * unitMs, this.stage.telling))
  }

  #ofPage(of: Of<'page'>, method: string, given: Arguments): Value | undefined {
    const { page } = of
    const locator = findLocator(of, method, given, this.#note)
    if (locator !== undefined) return { kind: 'locator', page, locator }
    if (selectorMethods.has(method)) {
      return this.#ofLocator(
        { kind: 'locator', page, locator: this.#selected(of, given) },
        method,
        given.rest(),
      )
    }
    switch (method) {
      case 'goto':
        return this.#goto(of, given)
      case 'goBack':
        return this.#step({ type: 'go', to: 'back' }, page, given)
      case 'goForward':
        return this.#step({ type: 'go', to: 'forward' }, page, given)
      case 'reload':
        return this.#step({ type: 'go', to: 'reload' }, page, given)
      case 'waitForTimeout':
        return this.pause(given.at(0) ?? given.option('timeout'))
      case 'waitForSelector':
        return this.#step(waitedFor(this.#selected(of, given), given), page, given)
      case 'waitForURL':
      case 'waitForUrl':
        return this.#waitForUrl(page, given)
      case 'waitForLoadState':
        return this.#waitForLoad(page, given, asText(given.at(0) ?? given.option('state'))?.plain ?? 'load')
      case 'waitForNavigation':
      case 'expectNavigation':
        this.#note('It waits until the page that is there has loaded.')
        return this.#waitForLoad(page, given, 'load')
      case 'waitForEvent':
      case 'expectEvent':
        return this.#event(asText(given.at(0))?.plain ?? '')
      case 'expectPopup':
        return this.#popup()
      case 'on':
      case 'once':
        return this.#listen(given)
      case 'frameLocator':
        return this.#within(of, given.text(0, 'selector'))
      case 'frame':
        return this.#namedFrame(of, given)
      case 'context':
        return { kind: 'browser' }
      case 'mainFrame':
      case 'bringToFront':
      case 'close':
        return of
      case 'title':
      case 'url':
        return reading(method, page)
      default:
        throw new Unmapped(reasonFor(method))
    }
  }

  #ofLocator(of: Of<'locator'>, method: string, given: Arguments): Value {
    const { page, locator } = of
    const step = own(locatorSteps, method)
    if (step !== undefined) {
      const draft = step(locator, given, this.#note)
      return this.#step(draft, page, given)
    }
    const narrowed = narrowLocator(locator, method, given, this.#note)
    if (narrowed !== undefined) return { ...of, locator: narrowed }
    if (method === 'contentFrame') return this.#frame(of)
    if (method === 'frameLocator')
      return this.#within({ within: locator, frames: [], page }, given.text(0, 'selector'))
    if (method === 'page') return pageOf(page)
    const read = own(readings, method)
    if (read !== undefined) return reading(read, page, locator)
    if (method === 'getAttribute')
      return { ...reading('attribute', page, locator), attribute: given.text(0, 'name') }
    throw new Unmapped(reasonFor(method))
  }

  #ofKeyboard({ page }: Of<'keyboard'>, method: string, given: Arguments): Value {
    if (method === 'press')
      return this.#step({ type: 'press', locator: null, key: keyOf(given) }, page, given)
    if (method !== 'type' && method !== 'insertText') throw new Unmapped(reasonFor(method))
    return this.#step({ type: 'type_text', locator: null, value: given.text(0, 'text') }, page, given)
  }

  #ofRequests(method: string, given: Arguments): Value {
    if (method === 'newContext') return this.#newContext(given)
    if (method === 'dispose') return nothing
    const verb = method === 'fetch' ? fetchMethod(given) : own(requestMethods, method)
    if (verb === undefined) throw new Unmapped(reasonFor(method))
    const parts = requestParts(given, this.#note)
    const destination = this.#find(given.texts(0, 'url'))
    const { draft, telling } = this.stage
    const request = draft.request(verb, destination, telling)
    request.query.push(...parts.query)
    request.headers.push(...parts.headers)
    request.body = parts.body
    request.timeout_ms = parts.timeoutMs === null ? null : Math.min(parts.timeoutMs, 3_600_000)
    if (parts.maxRedirects !== undefined)
      request.redirects = {
        ...request.redirects,
        follow: parts.maxRedirects > 0,
        max: Math.min(Math.max(Math.trunc(parts.maxRedirects), 1), 50),
      }
    telling.actionId ??= request.id
    return { kind: 'response', request }
  }

  #ofResponse({ request }: Of<'response'>, method: string): Value {
    if (request === null)
      throw new Unmapped('What a page is answered is not looked at. Expect what the page shows.')
    if (method === 'json') return { kind: 'json', request, path: '$' }
    if (method === 'ok' || method === 'status') return { ...reading(method, 0), request }
    if (method === 'text') return { ...reading('body', 0), request }
    if (method === 'dispose') return nothing
    throw new Unmapped(reasonFor(method))
  }

  #ofExpectation({ of, isNegated }: Of<'expectation'>, matcher: string, given: Arguments): Value {
    if (of.kind === 'locator') {
      const step = expectOfLocator(of.locator, matcher, isNegated, given, this.#note)
      return this.#step(step, of.page, given)
    }
    if (of.kind === 'page' && of.frames.length === 0) {
      const step = expectOfPage(matcher, isNegated, given, (url) => this.#absolute(url))
      return this.#step(step, of.page, given)
    }
    if (of.kind === 'reading') return this.#expectReading(of, matcher, isNegated, given)
    if (of.kind === 'response' && matcher === 'toBeOK') {
      if (of.request === null)
        throw new Unmapped('What a page is answered is not looked at. Expect what the page shows.')
      const { id } = of.request
      of.request.assertions.push({
        id: this.#newId(),
        type: 'status',
        allowed: ['2xx'],
        negate: isNegated,
        message: null,
        enabled: true,
      })
      return this.#done(id)
    }
    if (of.kind === 'json') {
      assertJson(of.request, of.path, this.#newId(), matcher, isNegated, given)
      return this.#done(of.request.id)
    }
    throw new Unmapped(
      'It compares values of the script. Expect what the page shows, or what a response holds.',
    )
  }

  #expectReading(of: Reading, matcher: string, isNegated: boolean, given: Arguments): Value {
    const step = expectOfReading(of, matcher, isNegated, given)
    if (step !== undefined) return this.#step(step, of.page, given)
    const { request } = of
    if (request === null) throw unknownValue(of)
    assertResponse(of, request, this.#newId(), matcher, isNegated, given)
    return this.#done(request.id)
  }

  #ofBrowser(of: Of<'browser' | 'unknown'>, method: string, given: Arguments): Value | undefined {
    switch (method) {
      case 'launch':
      case 'launchPersistentContext':
      case 'connect':
      case 'connectOverCDP':
      case 'newContext':
        return this.#newContext(given)
      case 'newPage':
        this.#newContext(given)
        if (this.stage.hasPage) this.#note('It has one page of its own: what this page does, that one does.')
        this.stage.hasPage = true
        return pageOf(0)
      case 'close':
        return of.kind === 'browser' ? nothing : undefined
      case 'waitForEvent':
      case 'expectPage':
        if (of.kind !== 'browser') return undefined
        return method === 'expectPage' ? this.#popup() : this.#event(asText(given.at(0))?.plain ?? '')
      default:
        if (of.kind === 'browser') throw new Unmapped(reasonFor(method))
        return undefined
    }
  }

  /** Of what a context is told, only the base address means something to a virtual user. */
  #newContext(given: Arguments): Value {
    const baseUrl = asText(given.option('baseURL') ?? given.option('baseUrl'))?.plain
    if (baseUrl !== undefined) this.#addresses.baseUrl ??= baseUrl
    return { kind: 'browser' }
  }

  #goto({ page, frames }: Of<'page'>, given: Arguments): Value {
    if (frames.length > 0) throw new Unmapped('An address cannot be opened in a frame.')
    const { draft, telling } = this.stage
    const destination = this.#find(given.texts(0, 'url'))
    for (const name of ['waitUntil', 'timeout']) given.option(name)
    telling.actionId ??= draft.open(destination, telling, page)
    return { kind: 'response', request: null }
  }

  #waitForUrl(page: number, given: Arguments): Value {
    const value = given.at(0) ?? given.option('url')
    given.option('waitUntil')
    if (value?.kind === 'regex') {
      const step = {
        type: 'expect',
        locator: null,
        what: 'url',
        attribute: null,
        comparison: 'matches',
        negate: false,
      } as const
      return this.#step({ ...step, expected: patternOf(value) }, page, given)
    }
    const text = asText(value)
    if (text === undefined) throw unknownValue(value)
    const url = /^[*{]/.test(text.plain) ? text.template : this.#absolute(text.plain)
    return this.#step(
      { type: 'wait_for', locator: null, state: 'visible', url, load_state: null },
      page,
      given,
    )
  }

  #waitForLoad(page: number, given: Arguments, state: string): Value {
    const loadState = state === 'networkidle' || state === 'domcontentloaded' ? state : 'load'
    for (const name of ['waitUntil', 'url']) given.option(name)
    return this.#step(
      { type: 'wait_for', locator: null, state: 'visible', url: null, load_state: loadState },
      page,
      given,
    )
  }

  /** The element that a method of a page names by a selector. */
  #selected(of: Of<'page'>, given: Arguments): Locator {
    const selector = new Arguments([given.texts(0, 'selector')])
    return findLocator(of, 'locator', selector, this.#note)!
  }

  #event(name: string): Value {
    if (name === 'popup' || name === 'page') return this.#popup()
    if (name === 'download') throw new Unmapped(reasonFor('expectDownload'))
    throw new Unmapped('There is no step that waits for this event.')
  }

  #popup(): Value {
    this.stage.popups++
    return pageOf(this.stage.popups)
  }

  /** A page answers its dialogs with no by itself, as Playwright does when nobody listens. */
  #listen(given: Arguments): Value {
    const listener = given.at(1)
    const body = listener?.kind === 'function' ? listener.text : ''
    if (asText(given.at(0))?.plain !== 'dialog' || !body.includes('dismiss') || body.includes('accept'))
      throw new Unmapped('Nothing listens to what happens in a page; its dialogs are dismissed.')
    this.#note('Dialogs are dismissed without being asked to.')
    return nothing
  }

  #within({ within, frames, page }: Omit<Of<'page'>, 'kind'>, selector: string): Value {
    const frame = parseSelector(selector)
    const entered = frame.within === null ? selectorOf(frame) : selector
    return { kind: 'page', page, within, frames: [...frames, entered] }
  }

  #namedFrame(of: Of<'page'>, given: Arguments): Value {
    const name = asText(given.at(0) ?? given.option('name'))
    if (name === undefined)
      throw new Unmapped('The frame is found by its address. Find it by its name or by a selector.')
    return this.#within(of, `:is(iframe, frame)[name=${JSON.stringify(name.plain)}]`)
  }

  #frame({ page, locator }: Of<'locator'>): Value {
    return { kind: 'page', page, ...frameOf(locator) }
  }

  #find(text: Text) {
    return this.#addresses.find(this.#addressOf(text), `line ${this.stage.line}`, this.#note)
  }

  #absolute(url: string): string {
    return this.#addresses.absolute(url, `line ${this.stage.line}`)
  }

  /** A text as an address: where it begins with a variable of the environment, that is taken for the base address. */
  #addressOf({ template, plain }: Text): string {
    if (!plain.startsWith('${')) return plain
    const name = this.#environment.nameOf(template)
    if (name === undefined)
      throw new Unmapped('Where it leads is known only when the script runs. Write an address.')
    this.#note(`The base address is taken for "${name}".`)
    return plain.slice(plain.indexOf('}') + 1)
  }

  #extractJson({ request, path }: Of<'json'>): Value {
    const key = `${request.id} ${path}`
    const variable =
      this.#extracted.get(key) ?? this.#variables.reserve(/([\w-]+)\W*$/.exec(path)?.[1] ?? 'body')
    if (!this.#extracted.has(key)) {
      const common = { id: this.#newId(), match: 1 as const, default: null, enabled: true }
      request.extractors.push({ ...common, type: 'json_path', variable, path })
    }
    this.#extracted.set(key, variable)
    return { kind: 'text', template: `\${${variable}}`, plain: `\${${variable}}` }
  }

  #extractReading({ what, attribute, page, locator }: Reading): Value {
    const isOfPage = what === 'url' || what === 'title'
    if (!isOfPage && what !== 'text' && what !== 'value' && what !== 'attribute')
      throw new Unmapped('What it reads cannot be put into a text.')
    const variable = this.#variables.reserve(attribute ?? what)
    this.#note(`It is read into the variable "${variable}" where it is used first.`)
    this.#step(
      {
        type: 'extract',
        locator: what === 'title' ? locatorBy('css', 'title') : locator,
        attribute: what === 'value' ? 'value' : attribute,
        variable,
      },
      page,
    )
    return { kind: 'text', template: `\${${variable}}`, plain: `\${${variable}}` }
  }

  #step(draft: StepDraft, page: number, given?: Arguments): Value {
    const timeout_ms = given === undefined ? null : timeoutOf(given)
    return this.#done(this.stage.draft.step({ timeout_ms, ...draft }, page))
  }

  #done(actionId: string): Value {
    this.stage.telling.actionId ??= actionId
    return nothing
  }

  #newId(): string {
    return this.stage.draft.newId()
  }

  readonly #note = (text: string): void => this.stage.telling.note(text)
}

const readings: Readonly<Record<string, Reading['what']>> = {
  textContent: 'text',
  innerText: 'text',
  inputValue: 'value',
  count: 'count',
  isVisible: 'visible',
  isHidden: 'hidden',
  isChecked: 'checked',
  isEnabled: 'enabled',
  isDisabled: 'disabled',
}

function reading(what: Reading['what'], page: number, locator: Reading['locator'] = null): Reading {
  return { kind: 'reading', what, attribute: null, page, locator, request: null }
}
