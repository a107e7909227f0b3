import { launchBrowser } from '@flamegate/loadtest-engine'
import { NotPrinted, type PrintRequest, type ReportPrinter } from '@flamegate/operations/ports'
import { errors, type Browser } from 'playwright'
import { asPdf } from './as-pdf.ts'
import { isItem, serveOwnSite, withoutNetwork, type Site } from './own-site.ts'
import { asSingleFile } from './single-file.ts'

/** The width of an A4 sheet between its margins, in CSS pixels. */
const sheetWidth = 688

interface Options extends Site {
  /** How long a page may take until all of it is drawn. */
  readyWithinMs?: number
}

/** Prints pages of the site, each in a browser of its own, which is closed in any case. */
export function openReportPrinter({ readyWithinMs = 60_000, ...site }: Options): ReportPrinter {
  return {
    async print(request) {
      const browser = await launchBrowser([withoutNetwork])
      const close = () => void browser.close()
      request.signal.addEventListener('abort', close, { once: true })
      try {
        request.signal.throwIfAborted()
        return await printIn(browser, site, readyWithinMs, request)
      } catch (error) {
        // Whatever the browser's end broke off says less than why it was ended.
        request.signal.throwIfAborted()
        throw error
      } finally {
        request.signal.removeEventListener('abort', close)
        await browser.close()
      }
    },
  }
}

async function printIn(
  browser: Browser,
  site: Site,
  readyWithinMs: number,
  { path, format, name, onItem }: PrintRequest,
): Promise<Uint8Array> {
  const context = await browser.newContext({
    viewport: { width: sheetWidth, height: 1000 },
    // Charts are drawn as sharp as paper shows them.
    deviceScaleFactor: 2,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
  })
  const failure = Promise.withResolvers<never>()
  // Nobody may be waiting for it any more.
  failure.promise.catch(() => undefined)
  await serveOwnSite(context, site, {
    onAnswer: (answered) => {
      if (isItem(answered)) onItem()
    },
    onFailure: failure.reject,
  })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => failure.reject(new NotPrinted(`The page failed: ${message}`)))
  page.on('crash', () => failure.reject(new NotPrinted('The page is more than a browser can hold.')))
  const ready = async () => {
    await page.goto(site.publicUrl + path, { waitUntil: 'commit' })
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached', timeout: readyWithinMs })
  }
  try {
    await Promise.race([ready(), failure.promise])
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    throw new NotPrinted(
      `The report was not drawn within ${readyWithinMs / 1000} seconds. Try it again later.`,
    )
  }
  return format === 'pdf' ? asPdf(page, name) : Buffer.from(await asSingleFile(page))
}
