import type { Field } from '../../model/template.ts'
import { encodePath, splitAddress } from '../address.ts'
import { whyDisabled } from '../disabled-hosts.ts'
import { type ImportContext, SourceError } from '../importer.ts'
import type { ServerDrafts } from '../server-drafts.ts'
import { Unmapped } from './telling.ts'

/** Where a page or a request is. */
export interface Destination {
  serverId: string
  path: string
  query: Field[]
  /** Path with query and fragment, as they are written. */
  target: string
  /** Origin and target, as a browser shows it. */
  url: string
  /** Why the host may not be asked; null where it may. */
  refusal: string | null
}

/** Takes the addresses of a source apart, relative ones by a base address. */
export class Addresses {
  /** A source may name its own where the person who imports named none. */
  baseUrl: string | undefined
  readonly #servers: ServerDrafts
  readonly #context: ImportContext

  constructor(servers: ServerDrafts, context: ImportContext, baseUrl: string | undefined) {
    this.#servers = servers
    this.#context = context
    this.baseUrl = baseUrl
  }

  /** Throws Unmapped for what is no address of the web, and a SourceError for a relative one without a base address. */
  find(text: string, place: string, note: (text: string) => void): Destination {
    const url = this.absolute(text, place)
    const address = splitAddress(url)
    if (address === undefined || address.origin.length > 2000)
      throw new Unmapped('This is no address of the web: only http:// and https:// can be opened.')
    const { origin, host, user, path, query } = address
    if (user !== null)
      note('The user in the address is left out: give it to the HTTP server as its authentication.')
    const target = encodePath(url.replace(/^https?:\/\/[^/?#\s]+\/?/i, '/'))
    return {
      serverId: this.#servers.idOf(origin),
      path,
      query,
      target,
      url: `${origin}${target}`,
      refusal: whyDisabled(host, this.#context),
    }
  }

  /** An address with everything that the base address adds. */
  absolute(text: string, place: string): string {
    const wanted = text.trim()
    if (/^[a-z][a-z\d+.-]*:/i.test(wanted)) return wanted
    if (this.baseUrl === undefined)
      throw new SourceError(
        `"${wanted.slice(0, 100)}" is relative, and the source does not say to what. Import it with a base address, like https://shop.example.com.`,
        place,
      )
    const url = URL.parse(wanted, this.baseUrl)
    if (!/^https?:/i.test(this.baseUrl) || url === null)
      throw new SourceError(
        `"${wanted.slice(0, 100)}" makes no address with the base address "${this.baseUrl.slice(0, 100)}".`,
        place,
      )
    // A URL encodes the braces of templates.
    return url.href.replaceAll(/\$%7B([\w.-]+(?:\[\d+\])?)%7D/g, '${$1}')
  }
}
