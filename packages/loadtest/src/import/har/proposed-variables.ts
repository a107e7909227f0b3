import { isPassword, wordsOf } from '../../text/secret-names.ts'
import { literal, type Field } from '../../model/template.ts'
import type { RequestBody } from '../../model/request.ts'
import type { Variable } from '../../model/variable.ts'
import type { Identified, ImportContext } from '../importer.ts'
import { VariableDrafts } from '../variable-drafts.ts'

/** More than these are no data of a person: what is left stays as it was, and more passwords are the first one. */
const namesMax = 20

const searchNames = new Set(['q', 'query', 'search', 'search_query', 'searchterm', 'keyword', 'keywords'])

/**
 * Variables for what is obviously to be varied: user names, passwords and words that were searched for. A password becomes a
 * secret without a value. The same value gets the same variable.
 */
export class ProposedVariables {
  readonly #drafts: VariableDrafts
  /** Names of variables by their values, for each kind. */
  readonly #names = new Map<Kind, Map<string, string>>()

  constructor(context: ImportContext) {
    this.#drafts = new VariableDrafts(context)
  }

  all(): Identified<Variable>[] {
    return this.#drafts.all()
  }

  /** The body with variables in it, and what was put there. A user name is one only beside a password. */
  inBody(body: RequestBody | null): { body: RequestBody | null; remarks: string[] } {
    const named = body === null ? [] : valuesOf(body)
    const found = new Map<string, string>()
    if (body !== null && named.some(({ name }) => isPassword(name))) {
      for (const { name, value } of named) {
        const variable = isPassword(name)
          ? this.secret(value)
          : isUserName(name)
            ? this.#constant('username', value)
            : undefined
        if (variable !== undefined) found.set(key(name, value), variable)
      }
    }
    if (body === null || found.size === 0) return { body, remarks: [] }
    const remarks = [...new Set(found.values())].map((name) => `\${${name}} was put into its body.`)
    return { body: replaced(body, (name, value) => found.get(key(name, value))), remarks }
  }

  /** The query with variables for what was searched. */
  inQuery(query: readonly Field[]): Field[] {
    return query.map((field) => {
      if (!searchNames.has(field.name.toLowerCase()) || !isWords(field.value)) return field
      const name = this.#constant('search', field.value)
      return name === undefined ? field : { name: field.name, value: `\${${name}}` }
    })
  }

  /** Name of the secret variable for a password. */
  secret(value: string): string {
    return this.#nameFor('password', value, { type: 'secret' }) ?? 'password'
  }

  #constant(kind: Kind, value: string): string | undefined {
    return this.#nameFor(kind, value, { type: 'constant', value })
  }

  #nameFor(
    kind: Kind,
    value: string,
    variable: { type: 'secret' } | { type: 'constant'; value: string },
  ): string | undefined {
    const names = this.#names.get(kind) ?? new Map<string, string>()
    this.#names.set(kind, names)
    const known = names.get(value)
    if (known !== undefined || names.size === namesMax) return known
    const name = this.#drafts.reserve(kind)
    names.set(value, name)
    this.#drafts.add({ ...variable, name, description: 'Proposed by the import.' })
    return name
  }
}

/** What a variable is for, and the first one's name. */
type Kind = 'username' | 'password' | 'search'

/** Names and values are templates here, as they are in the body. */
interface Named {
  name: string
  value: string
}

function valuesOf(body: RequestBody): Named[] {
  if (body.type === 'form') return body.fields.filter(({ value }) => value !== '')
  if (body.type === 'multipart')
    return body.parts.flatMap((part) =>
      part.type === 'field' && part.value !== '' ? [{ name: part.name, value: part.value }] : [],
    )
  return body.type === 'json' ? jsonFields(body.text).map(({ name, value }) => ({ name, value })) : []
}

function replaced(
  body: RequestBody,
  variableFor: (name: string, value: string) => string | undefined,
): RequestBody {
  const valueFor = ({ name, value }: Named) => {
    const found = variableFor(name, value)
    return found === undefined ? value : `\${${found}}`
  }
  if (body.type === 'form')
    return { ...body, fields: body.fields.map((field) => ({ ...field, value: valueFor(field) })) }
  if (body.type === 'multipart')
    return {
      ...body,
      parts: body.parts.map((part) => (part.type === 'field' ? { ...part, value: valueFor(part) } : part)),
    }
  if (body.type !== 'json') return body
  const { text } = body
  const pieces: string[] = []
  let end = 0
  for (const field of jsonFields(text)) {
    pieces.push(text.slice(end, field.from), valueFor(field))
    end = field.to
  }
  return { ...body, text: `${pieces.join('')}${text.slice(end)}` }
}

/** Texts by their keys, with the places of their values, in JSON that was parsed before; those with escapes are left alone. */
function jsonFields(text: string): (Named & { from: number; to: number })[] {
  return [...text.matchAll(/"([^"\\]{1,80})"\s*:\s*"([^"\\]{1,500})"/g)].map((match) => {
    const to = match.index + match[0].length - 1
    return { name: match[1]!, value: match[2]!, from: to - match[2]!.length, to }
  })
}

function key(name: string, value: string): string {
  return JSON.stringify([name, value])
}

function isUserName(name: string): boolean {
  return /(?:^| )(?:user(?: ?(?:name|id))?|login|e ?mail(?: address)?|account(?: name)?)$/.test(wordsOf(name))
}

/** As somebody types it; GraphQL is sent under the same names. */
function isWords(value: string): boolean {
  return value.length <= 100 && /\p{L}/u.test(value) && !/[{}$]/.test(value) && literal(value) === value
}
