import type { HotpathAnswer } from '@flamegate/live'

/** The server has one thread: who asks waits, and does not ask for two things at once. */
const timeoutMs = 10_000

/** There is nobody: the program does not run, or does not answer. */
export class NoProgram extends Error {
  override name = 'NoProgram'
}

/** The metrics server of a program with hotpath-rs. */
export class MetricsServer {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  /** @param authToken sent as it is, without `Bearer` */
  constructor(url: string, authToken: string | undefined) {
    this.#url = url
    this.#headers = authToken === undefined ? {} : { authorization: authToken }
  }

  /** @throws NoProgram */
  async get(path: string): Promise<HotpathAnswer> {
    try {
      const response = await fetch(`${this.#url}${path}`, {
        headers: this.#headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: response.status, body: jsonOr(await response.text()) }
    } catch (error) {
      throw new NoProgram(`No program with hotpath answers at ${this.#url}.`, { cause: error })
    }
  }
}

/** The first generation says in plain text what it does not have. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
