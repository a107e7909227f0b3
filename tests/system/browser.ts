import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { chromium, type Browser, type Page } from 'playwright'

/** Where browser tests keep their screenshots; looked at by people, never committed. */
export const artefactsDir = join(import.meta.dirname, '../../test-artifacts')

const systemBrowsers = ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser']

/**
 * A real Chromium: the one of `CHROMIUM_PATH`, a system one, or the one that comes inside @sparticuz/chromium, so
 * that nothing has to be installed by hand.
 */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env['CHROMIUM_PATH'] ?? systemBrowsers.find((path) => existsSync(path))
  return chromium.launch({
    executablePath: installed ?? (await sparticuz.executablePath()),
    args: [
      ...(installed === undefined ? sparticuz.args : ['--no-sandbox', '--disable-gpu']),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  })
}

/** Keeps a picture of the page under that name. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(artefactsDir, { recursive: true })
  await page.screenshot({ path: join(artefactsDir, `${name}.png`), fullPage: true })
}

export async function fillLogIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
