import { asList, asObject, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import { type Action, depthMax } from '../../model/action.ts'
import type { Field } from '../../model/template.ts'
import { soundsSecret } from '../../text/secret-names.ts'
import { withContentType } from '../content-type.ts'
import { ImportDraft, InnerElements, type Told } from '../import-draft.ts'
import { type Importer, SourceError } from '../importer.ts'
import { readText } from '../read-source.ts'
import { readFields, readHeaderLines } from './fields.ts'
import { readAddress } from './postman-address.ts'
import { type Credentials, noCredentials, readAuthentication } from './postman-authentication.ts'
import { readBody } from './postman-body.ts'
import { PostmanVariables, type Scope } from './postman-variables.ts'
import { readCollection } from './read-collection.ts'
import type { Effect, ReadStatement } from './script/effect.ts'
import { readScript } from './script/read-script.ts'

const sourceBytesMax = 20_000_000

/**
 * Imports a collection of Postman, format 2.0 or 2.1: folders become containers, requests become requests, and of the scripts
 * what simple statements say. Elements of the report: folders (`folder`), requests (`item`), variables, `auth`, headers, query
 * and path parameters and fields of bodies, statements of scripts, saved responses (`example`) and dynamic variables.
 */
export const importPostman: Importer = async (source, options, context) => {
  const collection = readCollection(await readText(source, sourceBytesMax))
  const reader = new CollectionReader(new ImportDraft('postman', context), options.baseUrl)
  const info = asObject(collection['info'])
  const actions = reader.read(collection)
  return reader.draft.finish(options.name ?? asText(info['name']), descriptionOf(info), actions)
}

/** What a folder hands down to what is in it. */
interface Inherited {
  scope: Scope
  credentials: Credentials
  before: readonly Effect[]
  after: readonly Effect[]
  depth: number
}

class CollectionReader {
  readonly draft: ImportDraft
  readonly #variables: PostmanVariables

  constructor(draft: ImportDraft, baseUrl: string | undefined) {
    this.draft = draft
    this.#variables = new PostmanVariables(draft, baseUrl)
  }

  read(collection: JsonObject): Action[] {
    const nothing: Inherited = {
      scope: { outer: null, byName: new Map() },
      credentials: noCredentials,
      before: [],
      after: [],
      depth: 0,
    }
    const inherited = this.#handDown(collection, 'collection', null, nothing)
    const actions = this.#readItems(collection['item'], '', inherited)
    this.#variables.defineMissing()
    return actions
  }

  #readItems(items: unknown, outerPlace: string, inherited: Inherited): Action[] {
    if (inherited.depth >= depthMax - 1)
      throw new SourceError(`Its folders are inside one another more than ${depthMax - 1} times.`, outerPlace)
    return asList(items).flatMap((value, index) => {
      const place = `${outerPlace === '' ? '' : `${outerPlace}.`}item[${index}]`
      const item = asObject(value)
      if (Array.isArray(item['item'])) return [this.#readFolder(item, place, inherited)]
      if (isObject(item['request']) || typeof item['request'] === 'string')
        return this.#readItem(item, place, inherited)
      this.draft.dropped({ place, kind: 'item', name: asText(item['name']) }, 'It has no request.')
      return []
    })
  }

  #readFolder(folder: JsonObject, place: string, outer: Inherited): Action {
    const id = this.draft.actionId()
    const name = asText(folder['name'])
    this.draft.told({ place, kind: 'folder', name }, id)
    const inherited = this.#handDown(folder, place, id, outer)
    const actions = this.#readItems(folder['item'], place, inherited)
    return this.draft.container(id, name, descriptionOf(folder), actions)
  }

  /** What a collection or folder says for all requests in it. */
  #handDown(holder: JsonObject, place: string, id: string | null, outer: Inherited): Inherited {
    const scope: Scope = { outer: outer.scope, byName: new Map() }
    this.#readVariables(holder['variable'] ?? holder['variables'], place, scope)
    const inherited: Inherited = {
      scope,
      credentials: this.#credentials(holder['auth'], place, id, outer.credentials, scope),
      before: outer.before,
      after: outer.after,
      depth: outer.depth + 1,
    }
    const { before, after, statements } = this.#readScripts(holder['event'], place, scope)
    this.#tellStatements(statements, id)
    return { ...inherited, before: [...outer.before, ...before], after: [...outer.after, ...after] }
  }

  #readVariables(entries: unknown, place: string, scope: Scope): void {
    const known = asList(entries).map((value, index) => {
      const entry = asObject(value)
      const name = asText(entry['key']) || asText(entry['id']) || asText(entry['name'])
      return { entry, name, told: { place: `${place}.variable[${index}]`, kind: 'variable', name } }
    })
    const taken = new Set<string>()
    const defined = known.flatMap(({ entry, name, told }) => {
      if (name === '' || entry['disabled'] === true || taken.has(name)) {
        this.draft.dropped(
          told,
          name === '' ? 'It has no name.' : taken.has(name) ? 'It is there twice.' : 'It is disabled.',
        )
        return []
      }
      taken.add(name)
      const value = isObject(entry['value']) ? JSON.stringify(entry['value']) : asText(entry['value'])
      return [{ entry, value, told, ours: this.#variables.define(scope, name, value) }]
    })
    // After all of them have names, because a value may name others.
    for (const { entry, value, told, ours } of defined) {
      const description = descriptionOf(entry).slice(0, 2000)
      const isSecret = entry['type'] === 'secret' || (value === '' && soundsSecret(told.name))
      const isAdded = this.draft.variables.add(
        isSecret
          ? { type: 'secret', name: ours, description }
          : { type: 'constant', name: ours, value: this.#variables.template(value, scope), description },
      )
      if (!isAdded) this.draft.dropped(told, 'Its value is larger than that of a variable can be.')
      else this.draft.told(told, null, isSecret ? [`It is a secret: give ${ours} a value.`] : [])
    }
  }

  #credentials(
    value: unknown,
    place: string,
    id: string | null,
    outer: Credentials,
    scope: Scope,
  ): Credentials {
    if (!isObject(value) || asText(value['type']) === '') return outer
    const told: Told = { place: `${place}.auth`, kind: 'auth', name: asText(value['type']) }
    const read = readAuthentication(value, this.#variables, scope)
    if ('refused' in read) {
      this.draft.dropped(told, read.refused)
      return noCredentials
    }
    this.draft.told(told, id, read.notes)
    return read.credentials
  }

  #readItem(item: JsonObject, place: string, outer: Inherited): Action[] {
    const request = isObject(item['request']) ? item['request'] : { url: item['request'] }
    const name = asText(item['name'])
    const told: Told = { place, kind: 'item', name }
    const scope: Scope = { outer: outer.scope, byName: new Map() }
    this.#readVariables(item['variable'], place, scope)
    const inner = new InnerElements()
    const notes: string[] = []
    const around = { draft: this.draft, variables: this.#variables, scope, place, inner, notes }
    const credentials = this.#credentials(
      request['auth'] ?? item['auth'],
      `${place}.request`,
      null,
      outer.credentials,
      scope,
    )
    const scripts = this.#readScripts(item['event'], place, scope)
    const before = [...outer.before, ...scripts.before]
    const after = [...outer.after, ...scripts.after]
    const address = readAddress(request['url'], around)
    const header = request['header']
    const written =
      typeof header === 'string'
        ? readHeaderLines(header, around)
        : readFields(asList(header), 'header', 'request.header', around)
    const headers = [
      ...written.filter((each) => !this.#isMadeByEngine(each, notes)),
      ...credentials.headers,
      ...before.flatMap((effect) => (effect.kind === 'header' ? [effect.header] : [])),
    ]
    const method = asText(request['method']) || 'GET'
    const body = this.#keepsBody(item, method)
      ? readBody(request['body'], headers, around)
      : this.#leaveOutBody(request['body'], headers, around)
    const settings = credentials.settings
    const user = address?.user ?? null
    const made =
      address === undefined
        ? undefined
        : this.draft.request(
            {
              name,
              comment: descriptionOf(request) || descriptionOf(item),
              method,
              address: { ...address, query: [...address.query, ...credentials.query] },
              settings:
                user === null
                  ? settings
                  : {
                      authentication: { type: 'basic', user_name: user.name, password: user.password },
                    },
              ...withContentType(body, headers),
              followsRedirects: asObject(item['protocolProfileBehavior'])['followRedirects'] !== false,
              extractors: after.flatMap((effect) => (effect.kind === 'extract' ? [effect.extractor] : [])),
              assertions: after.flatMap((effect) => (effect.kind === 'check' ? [effect.assertion] : [])),
            },
            told,
            notes,
          )
    if (address === undefined) this.draft.dropped(told, 'Its address cannot be read as one of http or https.')
    inner.tell(this.draft, made?.id)
    this.#tellStatements(scripts.statements, made?.id)
    for (const [index, example] of asList(item['response']).entries())
      this.draft.dropped(
        { place: `${place}.response[${index}]`, kind: 'example', name: asText(asObject(example)['name']) },
        'It is a saved response, and no part of a test.',
      )
    if (made === undefined) return []
    return [...this.#setting(before), made, ...this.#setting(after)]
  }

  #setting(effects: readonly Effect[]): Action[] {
    return effects.flatMap((effect) =>
      effect.kind === 'set' ? [this.draft.setVariable(effect.variable, effect.value)] : [],
    )
  }

  #isMadeByEngine({ name }: Field, notes: string[]): boolean {
    const isMade = /^(?:host|content-length|connection|transfer-encoding)$/i.test(name)
    if (isMade) notes.push(`Its header ${name} is left out: it is made when the request is sent.`)
    return isMade
  }

  /** Postman sends no body with these, unless it is told to. */
  #keepsBody(item: JsonObject, method: string): boolean {
    return (
      asObject(item['protocolProfileBehavior'])['disableBodyPruning'] === true ||
      !/^(?:GET|HEAD|COPY|PURGE|UNLOCK)$/i.test(method)
    )
  }

  #leaveOutBody(body: unknown, headers: readonly Field[], around: Parameters<typeof readBody>[2]): null {
    const note = 'Its body is left out, as Postman does for this method.'
    const inner = new InnerElements()
    if (readBody(body, headers, { ...around, inner, notes: [] }) !== null) around.notes.push(note)
    inner.drop(this.draft, note)
    return null
  }

  #readScripts(
    events: unknown,
    place: string,
    scope: Scope,
  ): { before: Effect[]; after: Effect[]; statements: { told: Told; read: ReadStatement }[] } {
    const statements: { told: Told; read: ReadStatement }[] = []
    const effects = { before: [] as Effect[], after: [] as Effect[] }
    const bindings = { before: new Map(), after: new Map() }
    for (const [index, value] of asList(events).entries()) {
      const event = asObject(value)
      const listen = asText(event['listen'])
      const phase = listen === 'prerequest' ? 'before' : 'after'
      const told: Told = { place: `${place}.event[${index}]`, kind: 'event', name: listen }
      const script = event['script']
      const lines = isObject(script) ? script['exec'] : script
      const text = Array.isArray(lines) ? lines.map(asText).join('\n') : asText(lines)
      if (listen !== 'prerequest' && listen !== 'test') {
        this.draft.dropped(told, 'It is of a kind that is not known.')
      } else if (event['disabled'] === true) {
        this.draft.dropped(told, 'It is disabled.')
      } else if (isObject(script) && text === '' && script['src'] !== undefined) {
        this.draft.dropped(told, 'Its script is at another address, which is not fetched.')
      } else {
        const read = readScript(text, {
          phase,
          bindings: bindings[phase],
          drafts: this.draft.variables,
          template: (written) => this.#variables.template(written, scope),
          reference: (name) => `\${${this.#variables.nameOf(name, scope)}}`,
          nameToSet: (name) => this.#variables.nameToSet(name, scope),
        })
        for (const statement of read) {
          effects[phase].push(...statement.effects)
          const at = `${place} > ${listen}, line ${statement.line}`
          statements.push({ told: { place: at, kind: 'statement', name: statement.text }, read: statement })
        }
      }
    }
    return { ...effects, statements }
  }

  /** `undefined` as id: the request that they belong to was dropped. */
  #tellStatements(
    statements: readonly { told: Told; read: ReadStatement }[],
    actionId: string | null | undefined,
  ): void {
    for (const { told, read } of statements) {
      if (!read.isTaken) this.draft.dropped(told, read.notes.join(' '))
      else if (actionId === undefined) this.draft.dropped(told, 'The request that it belongs to was dropped.')
      else this.draft.told(told, actionId, read.notes)
    }
  }
}

/** A description is a text, or an object with one. */
function descriptionOf(holder: JsonObject): string {
  const { description } = holder
  return isObject(description) ? asText(description['content']) : asText(description)
}
