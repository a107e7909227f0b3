import { CookieJar } from 'tough-cookie'

/**
 * A cookie for all of one host, as sessions have it: kept without the jar, of which each use costs more than a request does.
 * Names that begin with __ have rules of their own.
 */
const sessionCookie =
  /^((?!__)[\w!#$%&'*+.^`|~-]+)=([!#-+\--:<-[\]-~]*)(?=[^]*; ?path=\/(?:;|$))((?:; ?(?:path=\/|httponly|secure|samesite=(?:lax|strict|none)))+)$/i

/** The cookies of one user, as a browser keeps them: by domain and path, none for a public suffix (RFC 6265). */
export class Cookies {
  /** Null as long as there are none but those of a session with one origin. */
  #jar: CookieJar | null = null
  #origin = ''
  #session: Map<string, { value: string; line: string }> | null = null
  #header = ''

  /** What is sent to an address; empty where there is nothing to send. */
  header(url: string): string {
    if (this.#jar === null) {
      if (this.#session === null) return ''
      if (this.#isOwn(url)) return this.#header
    }
    return this.#wholeJar().getCookieStringSync(url)
  }

  /** Takes a `Set-Cookie`; one that may not be set is left out, as a browser does. */
  take(setCookie: string, url: string): void {
    if (this.#jar === null && this.#takeForSession(setCookie, url)) return
    this.#wholeJar().setCookieSync(setCookie, url, { ignoreError: true })
  }

  value(name: string, url: string): string | undefined {
    if (this.#jar === null && this.#isOwn(url)) return this.#session?.get(name)?.value
    return this.#wholeJar()
      .getCookiesSync(url)
      .find((cookie) => cookie.key === name)?.value
  }

  clear(): void {
    this.#jar = null
    this.#session = null
  }

  #isOwn(url: string): boolean {
    return (
      url.startsWith(this.#origin) && (url.length === this.#origin.length || url[this.#origin.length] === '/')
    )
  }

  #takeForSession(line: string, url: string): boolean {
    const [, name, value, attributes] = sessionCookie.exec(line) ?? []
    if (name === undefined || value === undefined) return false
    if (this.#session === null) {
      const origin = /^https?:\/\/[^/?#@]+(?=\/)/.exec(url)?.[0]
      if (origin === undefined) return false
      this.#origin = origin
    } else if (!this.#isOwn(url)) return false
    if (!url.startsWith('https:') && /secure|none/i.test(attributes ?? '')) return false
    this.#session ??= new Map()
    const isNew = !this.#session.has(name)
    this.#session.set(name, { value, line })
    this.#header =
      isNew && this.#session.size === 1
        ? `${name}=${value}`
        : Array.from(this.#session, ([each, { value: its }]) => `${each}=${its}`).join('; ')
    return true
  }

  #wholeJar(): CookieJar {
    if (this.#jar === null) {
      this.#jar = new CookieJar()
      for (const { line } of this.#session?.values() ?? [])
        this.#jar.setCookieSync(line, `${this.#origin}/`, { ignoreError: true })
      this.#session = null
    }
    return this.#jar
  }
}

/** Cookies that the author wrote come first, and instead of kept ones of the same name. */
export function mergedCookies(written: string | undefined, kept: string): string {
  if (written === undefined || written === '') return kept
  const names = new Set(written.split(';').map((pair) => pair.split('=')[0]?.trim()))
  const others = kept.split(/;\s*/).filter((pair) => pair !== '' && !names.has(pair.split('=')[0]))
  return [written, ...others].join('; ')
}
