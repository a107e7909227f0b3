import { decodeUri } from '../../text/decode-uri.ts'
import { literal } from '../../model/template.ts'
import type { HttpServer } from '../../model/http-server.ts'
import type { HarEntry } from './har-entry.ts'
import type { ProposedVariables } from './proposed-variables.ts'

const pattern = /^Basic\s+([A-Za-z0-9+/=]{1,4000})$/i

/** User name and password that an entry sends in its header, with a colon between them. */
export function basicCredentials({ headers, url }: Pick<HarEntry, 'headers' | 'url'>): string | undefined {
  const header = headers.find(({ name }) => name.toLowerCase() === 'authorization')
  if (header === undefined)
    return url.username === '' ? undefined : `${decodeUri(url.username)}:${decodeUri(url.password)}`
  const found = pattern.exec(header.value.trim())
  const credentials = found === null ? '' : Buffer.from(found[1]!, 'base64').toString()
  return credentials.includes(':') ? credentials : undefined
}

/** How a server is to be authenticated at with them; the password becomes a secret. */
export function basicAuthentication(
  credentials: string,
  variables: ProposedVariables,
): HttpServer['authentication'] {
  const colon = credentials.indexOf(':')
  return {
    type: 'basic',
    user_name: literal(credentials.slice(0, colon)),
    password: `\${${variables.secret(literal(credentials.slice(colon + 1)))}}`,
  }
}
