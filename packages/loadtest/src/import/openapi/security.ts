import { asList, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import type { Field } from '../../model/template.ts'
import type { ImportDraft } from '../import-draft.ts'
import type { ServerSettings } from '../server-drafts.ts'
import { type References, whyUnresolved } from './references.ts'

/** What requests send to prove who asks. */
export interface Proof {
  settings: ServerSettings
  headers: readonly Field[]
  query: readonly Field[]
}

const nothing: Proof = { settings: {}, headers: [], query: [] }

/** The security schemes of a document: each that operations use has a secret variable, or two. */
export class Security {
  readonly #proofs = new Map<string, Proof>()
  readonly #everywhere: unknown

  constructor(document: JsonObject, references: References, draft: ImportDraft) {
    this.#everywhere = document['security']
    const { components } = document
    const schemes = isObject(components) ? components['securitySchemes'] : undefined
    for (const [name, value] of Object.entries(isObject(schemes) ? schemes : {})) {
      const told = { place: `components.securitySchemes.${name}`, kind: 'security scheme', name }
      const scheme = references.resolve(value)
      if (scheme === undefined) {
        draft.dropped(told, whyUnresolved(value))
        continue
      }
      const read = readScheme(scheme, name, draft)
      if ('refused' in read) draft.dropped(told, read.refused)
      else {
        this.#proofs.set(name, read)
        draft.told(told, null, read.notes)
      }
    }
  }

  /** What an operation needs: the first of the ways that it allows. */
  proofOf(operation: JsonObject): Proof {
    const [first] = asList(operation['security'] ?? this.#everywhere)
    const proofs = Object.keys(isObject(first) ? first : {}).flatMap((name) => this.#proofs.get(name) ?? [])
    return {
      settings: proofs.find(({ settings }) => settings.authentication !== undefined)?.settings ?? {},
      headers: proofs.flatMap(({ headers }) => headers),
      query: proofs.flatMap(({ query }) => query),
    }
  }
}

function readScheme(
  scheme: JsonObject,
  name: string,
  draft: ImportDraft,
): (Proof & { notes: string[] }) | { refused: string } {
  const secret = (wanted: string): string => {
    const variable = draft.variables.reserve(wanted)
    draft.variables.add({
      type: 'secret',
      name: variable,
      description: `Of the security scheme ${name}.`.slice(0, 2000),
    })
    draft.note(`Give the secret ${variable} a value: requests are sent with it.`)
    return `\${${variable}}`
  }
  const type = asText(scheme['type'])
  const way = asText(scheme['scheme']).toLowerCase()
  if (type === 'http' && (way === 'basic' || way === 'digest')) {
    const user = draft.variables.reserve(`${name}_user`)
    draft.variables.add({
      type: 'constant',
      name: user,
      value: '',
      description: `Of the security scheme ${name}.`.slice(0, 2000),
    })
    draft.note(`Give the variable ${user} a value: requests are sent with it.`)
    const authentication = {
      type: way,
      user_name: `\${${user}}`,
      password: secret(`${name}_password`),
    } as const
    return { ...nothing, settings: { authentication }, notes: [] }
  }
  if (type === 'http' && way === 'bearer')
    return { ...nothing, settings: { authentication: { type: 'bearer', token: secret(name) } }, notes: [] }
  if (type === 'oauth2' || type === 'openIdConnect')
    return {
      ...nothing,
      settings: { authentication: { type: 'bearer', token: secret(name) } },
      notes: ['The token is not asked for: it is a secret variable, or what a request that you add finds.'],
    }
  const key = asText(scheme['name'])
  if (type === 'apiKey' && key !== '') {
    if (scheme['in'] === 'header')
      return { ...nothing, headers: [{ name: key, value: secret(name) }], notes: [] }
    if (scheme['in'] === 'query')
      return { ...nothing, query: [{ name: key, value: secret(name) }], notes: [] }
    return { refused: 'It is a cookie: add the request that logs in, and cookies come by themselves.' }
  }
  return { refused: 'Authentication of this kind cannot be done: add the header that the server expects.' }
}
