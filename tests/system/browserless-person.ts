import { z } from 'zod'

const decisionSchema = z.object({ redirect_to: z.string() })

/** Somebody who logs in and allows clients as a browser would, without one: cookies and redirects are kept here. */
export class BrowserlessPerson {
  readonly #url: string
  readonly #address: string | undefined
  readonly #cookies = new Map<string, string>()

  private constructor(url: string, address?: string) {
    this.#url = url
    this.#address = address
  }

  /** @param address where they are, as a proxy that is trusted would tell it */
  static async signUp(url: string, name: string, address?: string): Promise<BrowserlessPerson> {
    const person = new BrowserlessPerson(url, address)
    const email = `${name.toLowerCase()}-${process.pid}-${Date.now()}@example.com`
    const answer = await person.post('/auth/sign-up', { name, email, password: 'a long enough password' })
    if (answer.status !== 201) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`)
    return person
  }

  /** Follows an authorization request, presses Allow, and gives the address that the client is sent back to. */
  async allow(authorizationUrl: string, redirectUri: string): Promise<URL> {
    const asked = await this.#follow(authorizationUrl, redirectUri)
    if (typeof asked !== 'string') return asked
    const answer = await this.post(`/auth/interactions/${asked}/allow`, {})
    const { redirect_to: next } = decisionSchema.parse(await answer.json())
    const back = await this.#follow(new URL(next, this.#url).href, redirectUri)
    if (typeof back === 'string') throw new Error('It was asked for twice')
    return back
  }

  /** Follows an authorization request up to the page that asks; gives the id of the request. */
  async findConsent(authorizationUrl: string): Promise<string> {
    const asked = await this.#follow(authorizationUrl, 'http://127.0.0.1')
    if (typeof asked !== 'string') throw new Error('Nothing was asked')
    return asked
  }

  /** Where redirects end: at the client, or at a page that asks (its id). */
  async #follow(from: string, redirectUri: string): Promise<URL | string> {
    let location = from
    for (let hop = 0; hop < 10; hop += 1) {
      const uid = /\/consent\/([^/?]+)/.exec(location)?.[1]
      if (uid !== undefined) return uid
      if (!location.startsWith(this.#url) && location.startsWith(redirectUri)) return new URL(location)
      const answer = await this.#request(location, { redirect: 'manual' })
      const next = answer.headers.get('location')
      if (next === null) throw new Error(`${location} answered ${answer.status}: ${await answer.text()}`)
      location = new URL(next, this.#url).href
    }
    throw new Error('The redirects go round in circles')
  }

  /** Sends JSON as our own pages do. */
  post(path: string, body: object): Promise<Response> {
    return this.postFrom(this.#url, path, body)
  }

  /** The same from a page of another origin, or from something that tells none. */
  postFrom(origin: string | undefined, path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) }
    return this.#request(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** Calls our REST API as our own pages do. */
  async rest(method: string, path: string, body?: object): Promise<Response> {
    const headers = {
      origin: this.#url,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return this.#request(`${this.#url}${path}`, { method, headers, body: body && JSON.stringify(body) })
  }

  async #request(url: string, options: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(options.headers)
    headers.set('cookie', cookie)
    if (this.#address !== undefined) headers.set('x-forwarded-for', this.#address)
    const answer = await fetch(url, { ...options, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }
}
