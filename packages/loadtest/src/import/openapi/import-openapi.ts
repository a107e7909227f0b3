import { pointerOf } from '../../json/json-pointer.ts'
import { asList, asObject, asText, type JsonObject } from '../../json/json-values.ts'
import type { Action } from '../../model/action.ts'
import { type Field, literal } from '../../model/template.ts'
import { type Address, encodePath, splitAddress } from '../address.ts'
import { type ExtractorDraft, ImportDraft, InnerElements } from '../import-draft.ts'
import { type Importer, type ImportOptions, SourceError } from '../importer.ts'
import { readText } from '../read-source.ts'
import { readBody } from './openapi-body.ts'
import { type Operation, readOperations } from './operation.ts'
import { inOrder } from './order.ts'
import { readDocument } from './read-document.ts'
import { References, whyUnresolved } from './references.ts'
import { idExtractor, linkExtractor, madeBy, pathIds } from './resource-ids.ts'
import { exampleOf, Samples } from './sample.ts'
import { Security } from './security.ts'
import { queryFields, simpleText } from './serialize.ts'

const sourceBytesMax = 20_000_000
/** Of a request; no server takes as many. */
const fieldsMax = 500

/**
 * Imports an OpenAPI document, 3.0 to 3.2: each operation becomes a request, in containers by tag, in an order in which what is
 * made is made before it is used. Elements of the report: operations, parameters, request bodies (each form), responses, links,
 * callbacks, servers, security schemes and webhooks.
 */
export const importOpenApi: Importer = async (source, options, context) => {
  const document = readDocument(await readText(source, sourceBytesMax))
  const reader = new OpenApiReader(document, new ImportDraft('openapi', context), options)
  const info = asObject(document['info'])
  const actions = reader.read()
  return reader.draft.finish(options.name ?? asText(info['title']), asText(info['description']), actions)
}

/** A value that a link hands from one answer to a parameter of another operation. */
interface Link {
  from: Operation
  to: Operation
  extractor: ExtractorDraft
}

class OpenApiReader {
  readonly draft: ImportDraft
  readonly #document: JsonObject
  readonly #options: ImportOptions
  readonly #references: References
  readonly #security: Security
  readonly #operations: Operation[]
  readonly #samples: Samples
  /** The variables for ids, by what they identify: `/orders/{}`. */
  readonly #ids = new Map<string, { variable: string; parameter: string }>()
  /** The variables that links hand to parameters of queries and headers: `header.X-Nonce` of an operation. */
  readonly #handed = new Map<Operation, Map<string, string>>()
  /** By their id, and by the pointer to them. */
  readonly #byReference = new Map<string, Operation>()
  readonly #tagDescriptions: ReadonlyMap<unknown, string>
  /** Places of parameters and servers that were told of. */
  readonly #toldOf = new Set<string>()
  readonly #everywhere: Pick<Address, 'origin' | 'host'>

  constructor(document: JsonObject, draft: ImportDraft, options: ImportOptions) {
    this.draft = draft
    this.#document = document
    this.#options = options
    this.#references = new References(document)
    this.#samples = new Samples(this.#references)
    this.#tagDescriptions = new Map(
      asList(document['tags'])
        .map(asObject)
        .map((tag) => [tag['name'], asText(tag['description'])]),
    )
    this.#everywhere = this.#server(document['servers'], 'servers')
    this.#security = new Security(document, this.#references, draft)
    this.#operations = readOperations(document, this.#references, draft)
  }

  read(): Action[] {
    for (const operation of this.#operations) {
      this.#defineIds(operation)
      const id = asText(operation.document['operationId'])
      if (id !== '') this.#byReference.set(id, operation)
      this.#byReference.set(pointerTo(operation), operation)
    }
    const links = this.#operations.flatMap((each) => this.#links(each))
    const linksFrom = Map.groupBy(links, ({ from }) => from)
    const ordered = inOrder(
      this.#operations,
      links.map(({ from, to }) => [from, to]),
    )
    const actions: Action[] = []
    let tag: string | undefined
    let inside: Action[] = []
    for (const operation of ordered) {
      if (operation.tag !== tag) {
        tag = operation.tag
        inside = []
        actions.push(
          this.draft.container(
            this.draft.actionId(),
            tag === '' ? 'Other' : tag,
            this.#tagDescriptions.get(tag) ?? '',
            inside,
          ),
        )
      }
      const made = this.#request(
        operation,
        (linksFrom.get(operation) ?? []).map(({ extractor }) => extractor),
      )
      if (made !== undefined) inside.push(made)
    }
    for (const [name] of Object.entries(asObject(this.#document['webhooks'])))
      this.draft.dropped(
        { place: `webhooks.${name}`, kind: 'webhook', name },
        'The server sends it, and a virtual user receives nothing.',
      )
    return actions
  }

  /** The first of several servers, with the defaults of its variables. */
  #server(servers: unknown, place: string): Pick<Address, 'origin' | 'host'> {
    const list = asList(servers)
    const isTold = this.#toldOf.has(place)
    this.#toldOf.add(place)
    for (const [index, value] of list.entries()) {
      const told = { place: `${place}[${index}]`, kind: 'server', name: asText(asObject(value)['url']) }
      if (index > 0)
        this.draft.dropped(told, 'The first server is taken: change the base URL to take this one.')
    }
    const server = asObject(list[0])
    const variables = asObject(server['variables'])
    const notes: string[] = []
    const url = (asText(server['url']) || '/').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = asObject(variables[name])
      const value = asText(variable['default']) || asText(asList(variable['enum'])[0])
      notes.push(`${name} is ${value.slice(0, 200)} in it, which is the default.`)
      return value.length > 300 ? whole : value
    })
    const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(url)
    if (isRelative && this.#options.baseUrl === undefined)
      throw new SourceError(
        'It does not say where the server is: import again with a base URL, such as https://shop.example.com.',
        list.length === 0 ? undefined : `${place}[0]`,
      )
    const whole = isRelative ? (URL.parse(url, this.#options.baseUrl)?.href ?? '') : url
    const address = splitAddress(literal(whole))
    if (address === undefined || address.host === null)
      throw new SourceError('The address of its server is none of http or https.', `${place}[0]`)
    if (list.length > 0 && !isTold)
      this.draft.told({ place: `${place}[0]`, kind: 'server', name: asText(server['url']) }, null, notes)
    return {
      host: address.host,
      origin: `${address.origin}${address.path.replace(/\?.*/s, '').replace(/\/+$/, '')}`,
    }
  }

  /** A variable for each thing that a path identifies; a request that makes such a thing gives it another value. */
  #defineIds({ path, parameters }: Operation): void {
    for (const { parameter, resource } of pathIds(path)) {
      if (this.#ids.has(resource)) continue
      const declared = parameters
        .map(({ value }) => this.#references.resolve(value))
        .find((each) => each?.['in'] === 'path' && each['name'] === parameter)
      const segment = resource.split('/').at(-2) ?? ''
      // `{id}` says nothing where several things have one.
      const wanted = /^(?:id|uuid|key|name|slug)$/i.test(parameter)
        ? `${segment.replace(/ies$/, 'y').replace(/s$/, '')}_${parameter}`
        : parameter
      const name = this.draft.variables.reserve(wanted)
      const { value } = this.#valueOf(declared ?? {})
      this.draft.variables.add({
        type: 'constant',
        name,
        value: literal(simpleText(value)),
        description: `Of ${resource}`.slice(0, 2000),
      })
      this.#ids.set(resource, { variable: name, parameter })
    }
  }

  #valueOf(parameter: JsonObject): { value: unknown; isMade: boolean } {
    const example = exampleOf(parameter, this.#references)
    if (example !== undefined) return { ...example, isMade: false }
    const [media] = Object.values(asObject(parameter['content']))
    return this.#samples.of(parameter['schema'] ?? asObject(media)['schema'])
  }

  /** What the links of the answers hand on. */
  #links(operation: Operation): Link[] {
    const links: Link[] = []
    for (const [code, response] of Object.entries(asObject(operation.document['responses']))) {
      const resolved = this.#references.resolve(response)
      for (const [name, value] of Object.entries(asObject(resolved?.['links']))) {
        const told = { place: `${operation.place}.responses.${code}.links.${name}`, kind: 'link', name }
        const link = this.#references.resolve(value)
        const to = this.#byReference.get(
          asText(link?.['operationId']) || decodeBraces(asText(link?.['operationRef'])),
        )
        const taken = to === undefined ? [] : this.#linked(operation, to, asObject(link?.['parameters']))
        links.push(...taken)
        if (taken.length > 0) this.draft.told(told, null)
        else this.draft.dropped(told, 'It hands on nothing that a parameter of another operation takes.')
      }
    }
    return links
  }

  #linked(from: Operation, to: Operation, parameters: JsonObject): Link[] {
    const ids = pathIds(to.path)
    const links = ids.flatMap(({ parameter, resource }): Link[] => {
      const expression = asText(parameters[parameter] ?? parameters[`path.${parameter}`])
      const extractor = linkExtractor(expression, this.#ids.get(resource)!.variable)
      return extractor === undefined ? [] : [{ from, to, extractor }]
    })
    const handed = this.#handed.get(to) ?? new Map<string, string>()
    this.#handed.set(to, handed)
    for (const { value } of to.parameters) {
      const declared = this.#references.resolve(value)
      const name = asText(declared?.['name'])
      const place = declared?.['in']
      if (place !== 'query' && place !== 'header') continue
      const isOfPath = ids.some(({ parameter }) => parameter === name)
      const expression = asText(parameters[`${place}.${name}`] ?? (isOfPath ? undefined : parameters[name]))
      if (linkExtractor(expression, name) === undefined) continue
      const variable = handed.get(`${place}.${name}`) ?? this.draft.variables.reserve(name)
      handed.set(`${place}.${name}`, variable)
      links.push({ from, to, extractor: linkExtractor(expression, variable)! })
    }
    return links
  }

  #request(operation: Operation, linked: readonly ExtractorDraft[]): Action | undefined {
    const { document, place, method, path } = operation
    const told = { place, kind: 'operation', name: `${method} ${path}` }
    const inner = new InnerElements()
    const notes: string[] = []
    const { query, headers } = this.#parameters(operation, inner)
    const body = readBody(
      document['requestBody'],
      place,
      { references: this.#references, samples: this.#samples },
      this.draft,
      inner,
    )
    const proof = this.#security.proofOf(document)
    const statuses = this.#responses(operation, inner)
    const server =
      operation.servers === undefined
        ? this.#everywhere
        : this.#server(operation.servers.value, operation.servers.place)
    for (const [name] of Object.entries(asObject(document['callbacks'])))
      this.draft.dropped(
        { place: `${place}.callbacks.${name}`, kind: 'callback', name },
        'The server sends it, and a virtual user receives nothing.',
      )
    const ids = pathIds(path)
    const declared = new Set(
      operation.parameters.map(({ value }) => this.#references.resolve(value)?.['name']),
    )
    for (const { parameter } of ids)
      if (!declared.has(parameter)) notes.push(`The parameter ${parameter} of its path is not declared.`)
    let index = 0
    const filled = path
      .split(/\{[^{}]+\}/)
      .map((text) => {
        const id = ids[index++]
        return (
          encodePath(literal(text)) + (id === undefined ? '' : `\${${this.#ids.get(id.resource)!.variable}}`)
        )
      })
      .join('')
    const made = this.draft.request(
      {
        name: operation.name,
        comment: asText(document['description']),
        method,
        address: {
          ...server,
          path: filled.startsWith('/') ? filled : `/${filled}`,
          query: [...query, ...proof.query],
        },
        settings: proof.settings,
        headers: [...headers, ...proof.headers],
        body,
        followsRedirects: !(statuses.length > 0 && statuses.every((each) => each.startsWith('3'))),
        extractors: [
          ...linked,
          ...this.#idOfMade(operation).filter((id) =>
            linked.every(({ variable }) => variable !== id.variable),
          ),
        ],
        assertions: statuses.length === 0 ? [] : [{ type: 'status', allowed: statuses }],
      },
      told,
      notes,
    )
    inner.tell(this.draft, made?.id)
    return made
  }

  /** `POST /orders` finds the id that `/orders/{orderId}` is asked with. */
  #idOfMade(operation: Operation): ExtractorDraft[] {
    const resource = madeBy(operation)
    const id = resource === undefined ? undefined : this.#ids.get(resource)
    const extractor = id && idExtractor(operation, id.parameter, id.variable, this.#references)
    return extractor === undefined ? [] : [extractor]
  }

  #parameters(operation: Operation, inner: InnerElements): { query: Field[]; headers: Field[] } {
    const query: Field[] = []
    const headers: Field[] = []
    for (const { place, value } of operation.parameters) {
      const parameter = this.#references.resolve(value)
      const name = asText(parameter?.['name'])
      const told = { place, kind: 'parameter', name: name || asText(asObject(value)['$ref']) }
      const isTold = this.#toldOf.has(place)
      this.#toldOf.add(place)
      const drop = (note: string): void => {
        if (!isTold) this.draft.dropped(told, note)
      }
      if (parameter === undefined || name === '') {
        drop(parameter === undefined ? whyUnresolved(value) : 'It has no name.')
        continue
      }
      const handed = this.#handed.get(operation)?.get(`${asText(parameter['in'])}.${name}`)
      const made = this.#valueOf(parameter)
      const isGiven = handed !== undefined || (!made.isMade && made.value !== undefined)
      switch (parameter['in']) {
        case 'path':
          if (!operation.path.includes(`{${name}}`)) {
            drop('It is not in the path.')
            continue
          }
          break
        case 'query':
        case 'header':
          if (parameter['required'] !== true && !isGiven) {
            drop('It is optional and has no example: it is not sent.')
            continue
          }
          if (query.length >= fieldsMax || headers.length >= fieldsMax) {
            drop(`There are more than ${fieldsMax} before it.`)
            continue
          }
          if (handed !== undefined)
            (parameter['in'] === 'query' ? query : headers).push({
              name: literal(name),
              value: `\${${handed}}`,
            })
          else if (parameter['in'] === 'query') query.push(...queryFields(name, made.value, parameter))
          else if (/^(?:accept|content-type|authorization)$/i.test(name)) {
            drop('It is what the body and the authentication say: OpenAPI has it ignored here.')
            continue
          } else headers.push({ name: literal(name), value: literal(simpleText(made.value)) })
          break
        case 'cookie':
          drop('Cookies come by themselves, from the answers before.')
          continue
        default:
          drop('It is in no place that is known.')
          continue
      }
      if (!isTold)
        inner.add(told, isGiven ? [] : ['Its value is made of its schema: write one that the server knows.'])
    }
    return { query, headers }
  }

  /** The answers that are right: those of success that are declared. */
  #responses({ document, place }: Operation, inner: InnerElements): string[] {
    const statuses: string[] = []
    for (const code of Object.keys(asObject(document['responses']))) {
      if (code.startsWith('x-')) continue
      const told = { place: `${place}.responses.${code}`, kind: 'response', name: code }
      if (/^[123](?:\d\d|xx)$/i.test(code) && statuses.length < 50) {
        statuses.push(code.toLowerCase())
        inner.add(told)
      } else if (code === 'default') this.draft.dropped(told, 'It says nothing of the status.')
      else this.draft.dropped(told, 'It is an answer to a mistake: what is tested is success.')
    }
    return statuses
  }
}

/** `#/paths/~1orders~1{orderId}/get` */
function pointerTo({ path, method }: Operation): string {
  return `#${pointerOf(['paths', path, method.toLowerCase()])}`
}

function decodeBraces(reference: string): string {
  return reference.replaceAll(/%7B/gi, '{').replaceAll(/%7D/gi, '}')
}
