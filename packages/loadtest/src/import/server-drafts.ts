import type { z } from 'zod'
import { httpServer, type HttpServer } from '../model/http-server.ts'
import { freeName } from './free-name.ts'
import type { ImportContext, Identified } from './importer.ts'

/** What the requests to a server need of it beside its address. */
export type ServerSettings = Omit<z.input<typeof httpServer>, 'schema_version' | 'name' | 'base_url'>

/** The servers that the requests of an import go to: one for each origin, and for each way to talk to it. */
export class ServerDrafts {
  readonly #byKey = new Map<string, Identified<HttpServer>>()
  readonly #names = new Set<string>()
  readonly #context: ImportContext

  constructor(context: ImportContext) {
    this.#context = context
  }

  /**
   * Id of the server of an origin: `https://shop.example.com:8443`. Origins may hold `${variables}`. Requests that need other
   * settings, such as another authentication, have a server of their own.
   */
  idOf(origin: string, settings: ServerSettings = {}): string {
    const key = `${origin} ${JSON.stringify(settings)}`
    const known = this.#byKey.get(key)
    if (known !== undefined) return known.id
    const id = this.#context.newId('httpServer')
    // Names are unique in a project: `http` and `https` of one host get a number.
    const name = freeName(origin.replace(/^https?:\/\//i, '') || origin, this.#names)
    this.#byKey.set(key, {
      id,
      document: httpServer.parse({ ...settings, name, base_url: origin }),
    })
    return id
  }

  all(): Identified<HttpServer>[] {
    return [...this.#byKey.values()]
  }
}
