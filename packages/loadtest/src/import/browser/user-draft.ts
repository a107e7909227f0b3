import { depthMax, type Action, type ActionOf, type HttpRequest } from '../../model/action.ts'
import type { PageStep } from '../../model/page.ts'
import { type ImportContext, type ImportOptions, SourceError } from '../importer.ts'
import type { Destination } from './addresses.ts'
import { type Telling, Unmapped } from './telling.ts'

type Drafted<Of, Given extends string> = Of extends unknown ? Omit<Of, Given | 'id'> : never
/** A step without what each of them has. */
export type StepDraft = Drafted<PageStep, 'enabled' | 'timeout_ms'> &
  Partial<Pick<PageStep, 'enabled' | 'timeout_ms'>>
/** An action without what each of them has. */
type ActionDraft = Drafted<Action, 'name' | 'comment' | 'enabled'> &
  Partial<Pick<Action, 'name' | 'comment' | 'enabled'>>

/** Most steps of one `page` action. */
const stepsMax = 1000
/** Most actions and steps of one virtual user. */
const elementsMax = 20_000

/**
 * The actions of one virtual user, as they are found in the source. Steps that follow each other are in one `page` action;
 * without a browser, pages that are opened become requests, and no other step can be.
 */
export class UserDraft {
  readonly actions: Action[] = []
  readonly #options: Pick<ImportOptions, 'browser' | 'thinkTimes' | 'thinkTimeMaxMs'>
  readonly #newId: ImportContext['newId']
  #list = this.actions
  #depth = 1
  /** Takes further steps; null where the next step begins a new one. */
  #pageAction: ActionOf<'page'> | null = null
  #name: string
  /** Page that steps mean: null where it depends on what happens. */
  #page: number | null = 0
  #count = 0
  /** Whether what is added is disabled in the source. */
  isDisabled = false

  constructor(
    name: string,
    options: Pick<ImportOptions, 'browser' | 'thinkTimes' | 'thinkTimeMaxMs'>,
    context: ImportContext,
  ) {
    this.#name = name
    this.#options = options
    this.#newId = context.newId
  }

  newId(): string {
    return this.#newId('action')
  }

  /** Adds an action; gives its id. */
  add(draft: ActionDraft): string {
    const id = this.newId()
    this.#insert({ id, name: '', comment: '', enabled: !this.isDisabled, ...draft })
    return id
  }

  /** Adds a step in a page; gives the id of the action that it is in. */
  step(draft: StepDraft, page = 0): string {
    if (this.#options.browser === 'http')
      throw new Unmapped(
        'Requests that pages make are not in the source: only pages that are opened can be imported without a browser.',
      )
    if (this.#page !== page) this.#push({ type: 'use_page', page })
    this.#page = page
    return this.#push(draft)
  }

  /** Opens an address: as a page, or as a request. What may not be asked is kept disabled. */
  open(destination: Destination, telling: Telling, page = 0): string {
    if (this.#options.browser === 'http') return this.request('GET', destination, telling).id
    const { serverId, target, refusal } = destination
    if (refusal !== null) telling.note(refusal)
    return this.step({ type: 'goto', server_id: serverId, path: target, enabled: refusal === null }, page)
  }

  /** Adds a request; what may not be asked is kept disabled. */
  request(method: HttpRequest['method'], destination: Destination, telling: Telling): HttpRequest {
    const { serverId, path, query, refusal } = destination
    if (refusal !== null) telling.note(refusal)
    const request: HttpRequest = {
      id: this.newId(),
      type: 'http_request',
      comment: '',
      name: `${method} ${path}`.slice(0, 200),
      enabled: refusal === null && !this.isDisabled,
      method,
      server_id: serverId,
      path,
      query,
      headers: [],
      body: null,
      redirects: { follow: true, max: 20, recorded: [] },
      timeout_ms: null,
      resources: { mode: 'none', parallel: 6, list: [] },
      extractors: [],
      assertions: [],
      recorded: null,
      disabled_reason: refusal,
    }
    this.#insert(request)
    return request
  }

  /** Adds a pause, as far as pauses were asked for. */
  pause(ms: number, telling: Telling): string {
    const { thinkTimes, thinkTimeMaxMs } = this.#options
    if (thinkTimes === 'none') throw new Unmapped('Pauses were not asked for.')
    if (ms > thinkTimeMaxMs) telling.note(`The pause is cut from ${ms} ms to ${thinkTimeMaxMs} ms.`)
    const cut = Math.min(Math.max(ms, 0), thinkTimeMaxMs)
    return this.add({ type: 'delay', duration: { distribution: 'constant', ms: cut }, is_scaled: true })
  }

  /** Puts a remark to what was added last. */
  comment(text: string): void {
    const last = this.#list.at(-1)
    if (last === undefined) return
    const comment = last.comment === '' ? text : `${last.comment}\n${text}`
    if (comment.length <= 2000) last.comment = comment
  }

  /** What is added meanwhile, in a list of its own. It may be done or not: which page is meant afterwards is not known. */
  nested(name: string, add: () => void): Action[] {
    const page = this.#page
    const actions = this.#collect(name, add)
    if (this.#page !== page) this.#page = null
    return actions
  }

  /**
   * Adds what belongs together: as a container, or as one action if it is one of a page. Null where there is nothing.
   * What was added before something is refused stays.
   */
  group(name: string, add: () => void): string | null {
    let refusal: Unmapped | undefined
    const actions = this.#collect(name, () => {
      try {
        add()
      } catch (error) {
        if (!(error instanceof Unmapped)) throw error
        refusal = error
      }
    })
    const id = this.#keep(name, actions)
    if (refusal !== undefined) throw refusal
    return id
  }

  #keep(name: string, actions: Action[]): string | null {
    const [only] = actions
    if (only === undefined) return null
    if (actions.length > 1 || only.type !== 'page')
      return this.add({ type: 'container', name: name.slice(0, 200), actions })
    this.#list.push(only)
    return only.id
  }

  #collect(name: string, add: () => void): Action[] {
    if (++this.#depth > depthMax)
      throw new SourceError(`Actions are inside one another more than ${depthMax} times.`)
    const around = { list: this.#list, name: this.#name }
    const inner: Action[] = []
    this.#list = inner
    this.#name = name
    this.#pageAction = null
    try {
      add()
    } finally {
      this.#list = around.list
      this.#name = around.name
      this.#pageAction = null
      this.#depth--
    }
    return inner
  }

  #push(draft: StepDraft): string {
    const { id, steps } = this.#openPageAction()
    this.#countOne()
    const enabled = !this.isDisabled && (draft.enabled ?? true)
    steps.push({ id: this.newId(), timeout_ms: null, ...draft, enabled })
    return id
  }

  #openPageAction(): ActionOf<'page'> {
    if (this.#pageAction !== null && this.#pageAction.steps.length < stepsMax) return this.#pageAction
    const common = { id: this.newId(), name: this.#name.slice(0, 200), comment: '', enabled: true }
    const action: ActionOf<'page'> = { type: 'page', ...common, steps: [], timeout_ms: 30_000 }
    this.#insert(action)
    this.#pageAction = action
    return action
  }

  #insert(action: Action): void {
    this.#countOne()
    this.#pageAction = null
    this.#list.push(action)
  }

  #countOne(): void {
    if (++this.#count > elementsMax)
      throw new SourceError(`It comes to more than ${elementsMax} steps of one virtual user.`)
  }
}
