import { CookieJar } from 'tough-cookie'

/**
 * A cookie that may be for all of one host, as sessions have it: kept without the jar, of which each use costs more than a
 * request does. Names that begin with __ have rules of their own.
 */
const sessionCookie =
  /^((?!__)[\w!#$%&'*+.^`|~-]+)=([!#-+\--:<-[\]-~]*)((?:; ?(?:path=\/|httponly|secure|samesite=(?:lax|strict|none)))*)$/i

interface SessionCookie {
  line: string
  name: string
  value: string
  /** As it is sent. */
  pair: string
  /** Names no path, and so is for that of the address it came from. */
  isOfItsPath: boolean
  /** May be set over TLS only. */
  isForTls: boolean
}

/** Many users are often told one and the same. */
let lastRead: { line: string; cookie: SessionCookie | null } = { line: '', cookie: null }

function sessionCookieOf(line: string): SessionCookie | null {
  if (lastRead.line !== line) {
    const [, name, value, attributes = ''] = sessionCookie.exec(line) ?? []
    const isOne = name !== undefined && value !== undefined
    const cookie = isOne
      ? {
          line,
          name,
          value,
          pair: `${name}=${value}`,
          isOfItsPath: !/path/i.test(attributes),
          isForTls: /secure|none/i.test(attributes),
        }
      : null
    lastRead = { line, cookie }
  }
  return lastRead.cookie
}

/** The cookies of one user, as a browser keeps them: by domain and path, none for a public suffix (RFC 6265). */
export class Cookies {
  /** Null as long as there are none but those of a session with one origin. */
  #jar: CookieJar | null = null
  #origin = ''
  #session: SessionCookie[] = []
  #header = ''

  /** What is sent to every address of an origin, made of characters that a header may have; undefined where addresses differ. */
  sessionHeader(origin: string): string | undefined {
    if (this.#jar !== null) return undefined
    if (this.#session.length === 0) return ''
    return origin === this.#origin ? this.#header : undefined
  }

  /** What is sent to an address; empty where there is nothing to send. */
  header(url: string): string {
    if (this.#jar === null) {
      if (this.#session.length === 0) return ''
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
    if (this.#jar === null && this.#isOwn(url)) return this.#session.find((each) => each.name === name)?.value
    return this.#wholeJar()
      .getCookiesSync(url)
      .find((cookie) => cookie.key === name)?.value
  }

  clear(): void {
    this.#jar = null
    if (this.#session.length > 0) this.#session = []
  }

  #isOwn(url: string): boolean {
    return (
      url.startsWith(this.#origin) && (url.length === this.#origin.length || url[this.#origin.length] === '/')
    )
  }

  /** Whether an address of the origin has a path of one segment, whose cookies are for all paths (RFC 6265, 5.1.4). */
  #isAtTheTop(url: string): boolean {
    return /^\/?[^/?#]*(?:[?#]|$)/.test(url.slice(this.#origin.length))
  }

  #takeForSession(line: string, url: string): boolean {
    const cookie = sessionCookieOf(line)
    if (cookie === null) return false
    if (this.#session.length === 0) {
      // Most often it is the one of the last time.
      if (this.#origin === '' || !this.#isOwn(url)) {
        const origin = /^https?:\/\/[^/?#@]+(?=\/)/.exec(url)?.[0]
        if (origin === undefined) return false
        this.#origin = origin
      }
    } else if (!this.#isOwn(url)) return false
    if (cookie.isForTls && !url.startsWith('https:')) return false
    if (cookie.isOfItsPath && !this.#isAtTheTop(url)) return false
    const place = this.#session.findIndex(({ name }) => name === cookie.name)
    if (place === -1) this.#session.push(cookie)
    else this.#session[place] = cookie
    this.#header = this.#session.length === 1 ? cookie.pair : this.#session.map(({ pair }) => pair).join('; ')
    return true
  }

  #wholeJar(): CookieJar {
    if (this.#jar === null) {
      this.#jar = new CookieJar()
      for (const { line } of this.#session)
        this.#jar.setCookieSync(line, `${this.#origin}/`, { ignoreError: true })
      this.#session = []
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
