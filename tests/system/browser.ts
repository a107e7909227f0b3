import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sparticuz, { inflate } from '@sparticuz/chromium'
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
    executablePath: installed ?? (await packagedChromium()),
    // Without a GPU, as root, and without asking anybody outside for updates.
    args: [
      '--no-sandbox',
      '--no-zygote',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    env: {
      ...process.env,
      // A machine without a locale gives pages a language that Intl does not know.
      LC_ALL: 'en_US.UTF-8',
      ...(installed === undefined ? { LD_LIBRARY_PATH: join(tmpdir(), 'al2023', 'lib') } : {}),
    },
    headless: true,
  })
}

/** Unpacks the packaged browser with the few libraries that a small system lacks (NSS). */
async function packagedChromium(): Promise<string> {
  const packageDir = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))))
  const [path] = await Promise.all([
    sparticuz.executablePath(),
    inflate(join(packageDir, 'bin', 'al2023.tar.br')),
  ])
  return path
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
