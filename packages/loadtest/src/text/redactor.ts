import { formsOf, receivedEncodings } from '../correlate/encodings.ts'

/** What stands where something secret was. */
export const redacted = '•••'

/** Shorter secrets would be found in the middle of everything. */
const charactersMin = 3

/** Replaces secrets in whatever is told about a run, also where they are encoded as requests encode them. */
export class Redactor {
  readonly #secrets = new Set<string>()
  /** All forms that are the same wherever they stand. */
  readonly #plain = new Set<string>()
  #pattern: RegExp | null = null
  #longest = 0

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) if (secret.length >= charactersMin) this.#secrets.add(secret)
    if (this.#secrets.size === 0) return
    for (const secret of this.#secrets) for (const form of plainForms(secret)) this.#plain.add(form)
    const forms = [...this.#secrets].flatMap(patternsOf).toSorted((one, other) => other.length - one.length)
    this.#longest = Math.max(...forms.map((form) => form.length)) + 8
    this.#pattern = new RegExp(forms.join('|'), 'g')
  }

  /** Also a beginning of a secret where a text was cut, which `…` tells. */
  redact(text: string): string {
    return this.#pattern === null ? text : this.#redactCuts(text.replaceAll(this.#pattern, redacted))
  }

  /** No more than so many characters of a text; a secret at the cut is not told in part. */
  redactStart(text: string, charactersMax: number): string {
    return this.redact(text.slice(0, charactersMax + this.#longest)).slice(0, charactersMax)
  }

  #redactCuts(text: string): string {
    let shown = text
    for (let cut = text.lastIndexOf('…'); cut > 0; cut = text.lastIndexOf('…', cut - 1)) {
      const start = this.#startOfCut(text, cut)
      if (start < cut) shown = shown.slice(0, start) + redacted + shown.slice(cut)
    }
    return shown
  }

  /** Where in a text the beginning of a secret stands that goes on to the cut; the cut where none does. */
  #startOfCut(text: string, cut: number): number {
    let start = cut
    for (const form of this.#plain) {
      const before = text.slice(Math.max(0, cut - form.length + 1), cut)
      for (let at = 0; at <= before.length - charactersMin; at++) {
        if (!form.startsWith(before.slice(at))) continue
        start = Math.min(start, cut - before.length + at)
        break
      }
    }
    return start
  }
}

/** Patterns of a secret as it is, and encoded. */
function patternsOf(secret: string): string[] {
  return [...plainForms(secret).map((form) => escaped(form)), ...base64Forms(secret)]
}

function plainForms(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed())
  const forms = new Set([
    secret,
    url,
    url.replaceAll('%20', '+'),
    ...partsOfUrl(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...formsOf(secret, receivedEncodings).map(({ text }) => text),
    // Where an apostrophe needs no escape.
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ])
  return [...forms]
}

/** As the URL parser writes it into a path and a query, where it leaves more as it is. */
function partsOfUrl(secret: string): string[] {
  const url = new URL('http://host/')
  url.pathname = `/${secret.toWellFormed()}`
  url.search = secret.toWellFormed()
  return [url.pathname.slice(1), url.search.slice(1)].filter((form) => form.length >= charactersMin)
}

/**
 * Base64 of a text that has the secret in it depends on where in a group of three bytes it begins. What is the same for each of
 * the three beginnings is looked for, with the characters beside it that hold the rest.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const whole = bytes.toString('base64').replaceAll('=', '')
    const core = whole.slice(Math.ceil((before * 8) / 6), bytes.length % 3 === 0 ? undefined : -1)
    if (core.length < 4) return []
    return [
      `[\\w+/-]{0,2}${escaped(core)}[\\w+/-]{0,2}`,
      `[\\w+/-]{0,2}${escaped(core.replaceAll('+', '-').replaceAll('/', '_'))}[\\w+/-]{0,2}`,
    ]
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
