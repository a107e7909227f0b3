import { CookieJar } from 'tough-cookie'

/** The cookies of one user, as a browser keeps them: by domain and path, none for a public suffix (RFC 6265). */
export class Cookies {
  #jar = new CookieJar()

  /** What is sent to an address; empty where there is nothing to send. */
  header(url: string): string {
    return this.#jar.getCookieStringSync(url)
  }

  /** Takes a `Set-Cookie`; one that may not be set is left out, as a browser does. */
  take(setCookie: string, url: string): void {
    this.#jar.setCookieSync(setCookie, url, { ignoreError: true })
  }

  value(name: string, url: string): string | undefined {
    return this.#jar.getCookiesSync(url).find((cookie) => cookie.key === name)?.value
  }

  clear(): void {
    this.#jar = new CookieJar()
  }
}

/** Cookies that the author wrote come first, and instead of kept ones of the same name. */
export function mergedCookies(written: string | undefined, kept: string): string {
  if (written === undefined || written === '') return kept
  const names = new Set(written.split(';').map((pair) => pair.split('=')[0]?.trim()))
  const others = kept.split(/;\s*/).filter((pair) => pair !== '' && !names.has(pair.split('=')[0]))
  return [written, ...others].join('; ')
}
