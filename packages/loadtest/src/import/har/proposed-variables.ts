import { isPassword, wordsOf } from '../../text/secret-names.ts'
import { decodeQuery } from '../address.ts'
import { literal, type Field } from '../../model/template.ts'
import type { RequestBody } from '../../model/request.ts'
import type { Variable } from '../../model/variable.ts'
import type { Identified, ImportContext } from '../importer.ts'
import { VariableDrafts } from '../variable-drafts.ts'
import { fieldsOf, withVariables } from './body-fields.ts'
import { mapPasswords } from './passwords.ts'

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

  /**
   * The body with variables in it, and what was put there. A user name is one only beside a password; of what goes to a host
   * that is not verified only passwords become variables.
   */
  inBody(
    body: RequestBody | null,
    { isVerified }: { isVerified: boolean },
  ): { body: RequestBody | null; remarks: string[] } {
    const named = body === null ? [] : fieldsOf(body)
    const found = new Map<string, string>()
    if (body !== null && named.some(({ name }) => isPassword(name))) {
      for (const { name, value } of named) {
        const variable = isPassword(name)
          ? this.secret(value)
          : isVerified && isUserName(name)
            ? this.#constant('username', value)
            : undefined
        if (variable !== undefined) found.set(key(name, value), variable)
      }
    }
    if (body === null || found.size === 0) return { body, remarks: [] }
    const remarks = [...new Set(found.values())].map((name) => `\${${name}} was put into its body.`)
    if (body.type === 'json' && named.some(({ name, value }) => isPassword(name) && value.includes('\\')))
      remarks.push('JSON gets the password as it is: give it with a backslash before each " and \\ in it.')
    return { body: withVariables(body, (name, value) => found.get(key(name, value))), remarks }
  }

  /** The query with variables for passwords, and at a host that is verified for what was searched. */
  inQuery(query: readonly Field[], { isVerified }: { isVerified: boolean }): Field[] {
    return query.map((field) => {
      if (isPassword(field.name) && field.value !== '')
        return { name: field.name, value: `\${${this.secret(field.value)}}` }
      if (!isVerified || !searchNames.has(field.name.toLowerCase()) || !isWords(field.value)) return field
      const name = this.#constant('search', field.value)
      return name === undefined ? field : { name: field.name, value: `\${${name}}` }
    })
  }

  /** An address in a header with variables for the passwords of its query. */
  inAddress(address: string): string {
    return mapPasswords(address, (value) => `\${${this.secret(literal(decodeQuery(value)))}}`)
  }

  /** Name of the secret variable for a password, which is told as a template. */
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
