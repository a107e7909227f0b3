import type { RequestBody } from '../../model/request.ts'
import { redacted } from '../../text/redactor.ts'
import { isPassword } from '../../text/secret-names.ts'
import { decodeQuery, splitQuery } from '../address.ts'
import { basicCredentials } from './basic-authentication.ts'
import { fieldsOf } from './body-fields.ts'
import type { HarEntry } from './har-entry.ts'

/** The passwords that an entry sends, as they were typed: those that become secret variables. */
export function passwordsOf(entry: Pick<HarEntry, 'headers' | 'url'>, body: RequestBody | null): string[] {
  const credentials = basicCredentials(entry)
  return [
    ...(body === null ? [] : fieldsOf(body))
      .filter(({ name }) => isPassword(name))
      .flatMap(({ value }) =>
        body?.type === 'json' ? [plain(value), readJson(plain(value))] : plain(value),
      ),
    ...splitQuery(entry.url.search.slice(1))
      .filter(({ name }) => isPassword(name))
      .map(({ value }) => plain(value)),
    ...(credentials === undefined ? [] : [credentials.slice(credentials.indexOf(':') + 1)]),
  ]
}

/** An address as it can be shown, without its passwords. */
export function shownAddress({ href }: URL): string {
  return mapPasswords(href, () => redacted).replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1')
}

/** An address with something else for each password in its query. */
export function mapPasswords(address: string, map: (value: string) => string): string {
  return address.replaceAll(
    /([?&;])([^?&;=#]+)=([^&;#]+)/g,
    (whole, before: string, name: string, value: string) =>
      isPassword(decodeQuery(name)) ? `${before}${name}=${map(value)}` : whole,
  )
}

/** What a template without variables stands for. */
function plain(template: string): string {
  return template.replaceAll('$${', () => '${')
}

function readJson(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written
  }
}
