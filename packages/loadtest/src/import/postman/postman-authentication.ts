import { asList, asObject, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import type { Field } from '../../model/template.ts'
import type { ServerSettings } from '../server-drafts.ts'
import type { PostmanVariables, Scope } from './postman-variables.ts'

/** What proves who asks, with the requests that it is for. */
export interface Credentials {
  settings: ServerSettings
  headers: Field[]
  query: Field[]
}

export const noCredentials: Credentials = { settings: {}, headers: [], query: [] }

/**
 * What `auth` of a collection, folder or request says; or why that cannot be done. Formats 2.0 and 2.1 write its parameters
 * differently.
 */
export function readAuthentication(
  auth: JsonObject,
  variables: PostmanVariables,
  scope: Scope,
): { credentials: Credentials; notes: string[] } | { refused: string } {
  const type = asText(auth['type'])
  const parameters = parametersOf(auth[type])
  const template = (name: string): string => variables.template(parameters.get(name) ?? '', scope)
  const isWritten = (name: string): boolean => !/^$|\{\{/.test(parameters.get(name) ?? '')
  const of = (made: Partial<Credentials>, notes: string[] = []) => ({
    credentials: { ...noCredentials, ...made },
    notes,
  })
  const plain = 'A password stands in it as it is: put it into a secret variable.'
  switch (type) {
    case 'noauth':
      return of({})
    case 'basic':
    case 'digest':
      return of(
        {
          settings: {
            authentication: { type, user_name: template('username'), password: template('password') },
          },
        },
        isWritten('password') ? [plain] : [],
      )
    case 'bearer':
      return of(
        { settings: { authentication: { type: 'bearer', token: template('token') } } },
        isWritten('token') ? ['A token stands in it as it is: put it into a secret variable.'] : [],
      )
    case 'apikey': {
      const field = { name: template('key'), value: template('value') }
      if (field.name === '') return { refused: 'It names no key.' }
      return of(parameters.get('in') === 'query' ? { query: [field] } : { headers: [field] })
    }
    case 'oauth2': {
      if ((parameters.get('accessToken') ?? '') === '')
        return {
          refused:
            'Postman asks for the token in a window: get one in a request, or put it into a secret variable and set the authentication of the server to bearer.',
        }
      const token = template('accessToken')
      if (parameters.get('addTokenTo') === 'queryParams')
        return of({ query: [{ name: 'access_token', value: token }] })
      const prefix = parameters.get('headerPrefix')?.trim() ?? 'Bearer'
      if (prefix.toLowerCase() === 'bearer')
        return of({ settings: { authentication: { type: 'bearer', token } } })
      return of({ headers: [{ name: 'Authorization', value: `${prefix} ${token}`.trim() }] })
    }
    default:
      return {
        refused: `Authentication of the kind ${type.slice(0, 40)} cannot be done: add the header that the server expects.`,
      }
  }
}

function parametersOf(value: unknown): Map<string, string> {
  const entries = isObject(value)
    ? Object.entries(value)
    : asList(value).map((each): [string, unknown] => [asText(asObject(each)['key']), asObject(each)['value']])
  return new Map(entries.map(([name, parameter]) => [name, asText(parameter)]))
}
