import { createServer } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright'
import { fillLogIn, launchBrowser } from '../../system/browser.ts'
import { listenOnLoopback } from './loopback.ts'

/** A person at a browser, to whom clients send their log-in. */
export interface BrowserStep {
  /** Where programs that open addresses post them. */
  inbox: string
  /** What clients asked to open so far. */
  opened: string[]
  /** Whether the person allows what is asked; otherwise they leave it lying. */
  isWilling: boolean
  /** What went wrong in the browser since the last look. */
  takeFailure(): string | undefined
  close(): Promise<void>
}

const patienceMs = 20_000

/** A real browser, which logs in once and then remembers, as people's browsers do. */
export async function openBrowserStep(
  siteUrl: string,
  person: { email: string; password: string },
): Promise<BrowserStep> {
  const browser: Browser = await launchBrowser()
  const context: BrowserContext = await browser.newContext()
  context.setDefaultTimeout(patienceMs)
  let failure: string | undefined

  const server = createServer((request, response) => {
    void (async () => {
      let url = ''
      for await (const chunk of request) url += String(chunk)
      response.end()
      step.opened.push(url)
      if (!step.isWilling) return
      await allow(url).catch((error: unknown) => {
        failure = error instanceof Error ? error.message : String(error)
      })
    })()
  })
  async function allow(url: string): Promise<void> {
    const page = await context.newPage()
    try {
      // The way ends at the client, which may well close the connection on us.
      await page.goto(url).catch((error: unknown) => {
        if (!hasLeft(page)) throw error
      })
      const email = page.getByLabel('E-mail address')
      const allowButton = page.getByRole('button', { name: 'Allow' })
      const left = page.waitForURL((at) => at.origin !== siteUrl)
      left.catch(() => {})
      await Promise.race([left, email.or(allowButton).first().waitFor()])
      if (await email.isVisible()) {
        await fillLogIn(page, person.email, person.password)
        await Promise.race([left, allowButton.waitFor()])
      }
      if (!hasLeft(page)) await allowButton.click()
      await left
      await page.waitForLoadState('load').catch(() => {})
    } catch (error) {
      const text = await page.innerText('body').catch(() => '')
      throw new Error(`the browser stayed at ${page.url()}: ${text.slice(0, 200)}`, { cause: error })
    } finally {
      await page.close()
    }
  }

  const hasLeft = (page: Page) => !page.url().startsWith(siteUrl) && page.url() !== 'about:blank'

  const step: BrowserStep = {
    inbox: `http://127.0.0.1:${await listenOnLoopback(server)}/`,
    opened: [],
    isWilling: true,
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
    async close() {
      server.close()
      await browser.close()
    },
  }
  return step
}
