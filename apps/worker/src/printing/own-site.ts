import { NotPrinted } from '@flamegate/operations/ports'
import type { BrowserContext, Route } from 'playwright'

/** Where people reach the site, and where this process does; both without a trailing slash. */
export interface Site {
  publicUrl: string
  internalUrl: string
}

/** For a browser that resolves no name at all: what it gets, it gets from `serveOwnSite`. */
export const withoutNetwork = '--host-resolver-rules=MAP * ~NOTFOUND'

interface Watching {
  /** Told of what is answered well, by its path. */
  onAnswer: (path: string) => void
  /** Told why the page cannot become what it should. */
  onFailure: (failure: NotPrinted) => void
}

/**
 * Answers what pages of a browser ask of the public address, from wherever this process reaches the site, so that links are
 * those that people can follow. Everything else is refused.
 */
export async function serveOwnSite(
  context: BrowserContext,
  { publicUrl, internalUrl }: Site,
  { onAnswer, onFailure }: Watching,
): Promise<void> {
  const { origin } = new URL(publicUrl)

  async function answer(route: Route): Promise<void> {
    const url = new URL(route.request().url())
    if (url.origin !== origin) return route.abort('blockedbyclient')
    const response = await route
      .fetch({ url: internalUrl + url.pathname + url.search, maxRedirects: 0 })
      .catch(() => undefined)
    if (response === undefined) {
      onFailure(new NotPrinted('The pages of Flamegate could not be reached. Try it again later.'))
      return route.abort('failed')
    }
    const status = response.status()
    if (status >= 300 && status < 400) return route.abort('blockedbyclient')
    // An item of a run that was deleted says so in its place; nothing else may be missing.
    if (status < 400) onAnswer(url.pathname)
    else if (status >= 500 || !isItem(url.pathname)) {
      onFailure(
        new NotPrinted(
          `The page of the report could not be opened. ${url.pathname}: ${await reasonIn(response)}`,
        ),
      )
    }
    return route.fulfill({ response })
  }

  // What is still under way when the browser is closed has nobody to answer to.
  await context.route('**/*', (route) => answer(route).catch(() => undefined))
}

/** Whether a path is that of the values of an item. */
export function isItem(path: string): boolean {
  return /^\/v1\/.*\/items\/[^/]+\/values$/.test(path)
}

async function reasonIn(response: { status(): number; text(): Promise<string> }): Promise<string> {
  try {
    const { detail } = JSON.parse(await response.text())
    if (typeof detail === 'string') return detail
  } catch {
    // It is no problem of ours.
  }
  return `the answer was ${response.status()}.`
}
