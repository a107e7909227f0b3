import type { z } from 'zod'
import { action, type Action, type HttpRequest } from '../model/action.ts'
import type { assertion } from '../model/assertion.ts'
import type { extractor } from '../model/extractor.ts'
import { httpMethods } from '../model/request.ts'
import type { requestBody } from '../model/request.ts'
import type { Field } from '../model/template.ts'
import { virtualUser } from '../model/virtual-user.ts'
import type { Address } from './address.ts'
import { whyDisabled } from './disabled-hosts.ts'
import { type ImportContext, type Imported, SourceError } from './importer.ts'
import { type ImportedElement, ReportBuilder } from './report.ts'
import { ServerDrafts, type ServerSettings } from './server-drafts.ts'
import { VariableDrafts } from './variable-drafts.ts'

/** More than this is no test that a person can work with; a source that holds more is refused. */
const elementsMax = 300_000
const actionsMax = 20_000
const charactersMax = 50_000_000
const nameCharactersMax = 200
const originCharactersMax = 2000

export type Told = Pick<ImportedElement, 'place' | 'kind' | 'name'>
export type BodyDraft = z.input<typeof requestBody>
/** Without the id, which it gets when the request is made. */
export type ExtractorDraft = DistributiveOmit<z.input<typeof extractor>, 'id'>
export type AssertionDraft = DistributiveOmit<z.input<typeof assertion>, 'id'>
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

/** What stands inside an element: told of when it is known what the element became. */
export class InnerElements {
  readonly #told: { element: Told; notes: readonly string[] }[] = []

  add(element: Told, notes: readonly string[] = []): void {
    this.#told.push({ element, notes })
  }

  tell(draft: ImportDraft, actionId: string | undefined): void {
    if (actionId === undefined) return this.drop(draft, 'The request that it belongs to was dropped.')
    for (const { element, notes } of this.#told) draft.told(element, actionId, notes)
  }

  drop(draft: ImportDraft, note: string): void {
    for (const { element } of this.#told) draft.dropped(element, note)
  }
}

/** A request as a source says it: templates are in place, and nothing is checked. */
export interface RequestDraft {
  name: string
  comment?: string
  enabled?: boolean
  method: string
  address: Pick<Address, 'origin' | 'host' | 'path' | 'query'>
  settings?: ServerSettings
  headers?: readonly Field[]
  body?: BodyDraft | null
  followsRedirects?: boolean
  redirectsMax?: number
  timeoutMs?: number | null
  extractors?: readonly ExtractorDraft[]
  assertions?: readonly AssertionDraft[]
}

/** A virtual user that comes of a list of requests, while it is made, with the report of it. */
export class ImportDraft {
  readonly context: ImportContext
  readonly variables: VariableDrafts
  readonly #servers: ServerDrafts
  readonly #report: ReportBuilder
  #actions = 0
  #characters = 0

  constructor(format: string, context: ImportContext) {
    this.context = context
    this.variables = new VariableDrafts(context)
    this.#servers = new ServerDrafts(context)
    this.#report = new ReportBuilder(format)
  }

  /** Tells of an element that became something; with notes, that became something else. */
  told(element: Told, actionId: string | null, notes: readonly string[] = []): void {
    const entry = { ...this.#counted(element), actionId }
    if (notes.length === 0) this.#report.mapped(entry)
    else this.#report.approximated(entry, notes.join(' '))
  }

  dropped(element: Told, note: string): void {
    this.#report.dropped(this.#counted(element), note)
  }

  /** What is to be said of the whole. */
  note(text: string): void {
    this.#report.note(text)
  }

  actionId(): string {
    this.#actions++
    if (this.#actions > actionsMax)
      throw new SourceError(`It makes more than ${actionsMax} actions. Import it in parts.`)
    return this.context.newId('action')
  }

  /** A container around actions. */
  container(id: string, name: string, comment: string, actions: Action[]): Action {
    return { type: 'container', id, ...titled(name, comment), enabled: true, actions }
  }

  setVariable(name: string, value: string): Action {
    return {
      type: 'set_variable',
      id: this.actionId(),
      ...titled(`Set ${name}`, ''),
      enabled: true,
      variable: name,
      value,
    }
  }

  /**
   * The request of an element, which is told of; undefined when it cannot be one. To a host that may not be loaded it is
   * disabled.
   */
  request(draft: RequestDraft, element: Told, notes: readonly string[] = []): HttpRequest | undefined {
    const method = draft.method.toUpperCase()
    if (!(httpMethods as readonly string[]).includes(method)) {
      this.dropped(element, `Requests with the method ${clip(draft.method, 40)} cannot be sent.`)
      return undefined
    }
    const { origin, host, path, query } = draft.address
    if (origin.length > originCharactersMax || /\s/.test(origin)) {
      this.dropped(element, 'Its address cannot be read.')
      return undefined
    }
    const reason = whyDisabled(host, this.context)
    const newId = (): string => this.context.newId('action')
    const parsed = action.safeParse({
      type: 'http_request',
      id: this.actionId(),
      ...titled(draft.name, draft.comment ?? ''),
      enabled: reason === null && (draft.enabled ?? true),
      method,
      server_id: this.#servers.idOf(origin, draft.settings),
      path,
      query,
      headers: draft.headers ?? [],
      body: draft.body ?? null,
      redirects: { follow: draft.followsRedirects ?? true, max: draft.redirectsMax ?? 20 },
      timeout_ms: draft.timeoutMs ?? null,
      extractors: (draft.extractors ?? []).map((each) => ({ ...each, id: newId() })),
      assertions: (draft.assertions ?? []).map((each) => ({ ...each, id: newId() })),
      disabled_reason: reason,
    })
    if (!parsed.success || parsed.data.type !== 'http_request') {
      const issue = parsed.error?.issues[0]
      this.dropped(
        element,
        `It is larger than requests can be (${issue?.path.join('.')}: ${issue?.message}).`,
      )
      return undefined
    }
    this.#characters += JSON.stringify(parsed.data).length
    if (this.#characters > charactersMax)
      throw new SourceError(`It makes a test of more than ${charactersMax / 1e6} MB. Import it in parts.`)
    this.told(element, parsed.data.id, reason === null ? notes : [reason, ...notes])
    return parsed.data
  }

  /** Everything that was made; `options.name` goes before the name of the source. */
  finish(name: string, description: string, actions: Action[]): Imported {
    const parsed = virtualUser.safeParse({
      name: clip(name.trim() === '' ? this.#report.report.format : name.trim(), 80),
      description: clip(description, 2000),
      actions,
    })
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw new SourceError(
        `It is larger than a virtual user can be: ${issue?.message}`,
        issue?.path.join('.'),
      )
    }
    return {
      virtualUsers: [{ id: this.context.newId('virtualUser'), document: parsed.data }],
      servers: this.#servers.all(),
      variables: this.variables.all(),
      rules: [],
      files: [],
      report: this.#report.report,
    }
  }

  #counted(element: Told): Told {
    if (this.#report.report.elements.length >= elementsMax)
      throw new SourceError(`It has more than ${elementsMax} elements. Import it in parts.`)
    return { ...element, name: clip(element.name, nameCharactersMax) }
  }
}

/** At most so many characters, with … where something is cut. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

function titled(name: string, comment: string): { name: string; comment: string } {
  return { name: clip(name, nameCharactersMax), comment: clip(comment, 2000) }
}
