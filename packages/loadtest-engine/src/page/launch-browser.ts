import { existsSync } from 'node:fs'
import type { Browser } from 'playwright'
import { packagedChromium } from './packaged-chromium.ts'

const systemBrowsers = ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser']

/**
 * A real Chromium: the one of `CHROMIUM_PATH`, a system one, or the one that comes inside @sparticuz/chromium, so that nothing
 * has to be installed by hand. `args` come beside those that every browser here has.
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const installed = installedBrowser()
  const packaged = installed === undefined ? await packagedChromium() : undefined
  // Large, and most threads and processes that load this never start one.
  const { chromium } = await import('playwright')
  return chromium.launch({
    executablePath: packaged?.executablePath ?? installed,
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
      ...args,
    ],
    // What else is in ours, such as passwords of databases, is nothing for a program that runs other people's pages.
    env: {
      ...inherited(['PATH', 'HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH']),
      // A machine without a locale gives pages a language that Intl does not know.
      LC_ALL: 'en_US.UTF-8',
      ...(packaged === undefined ? {} : { LD_LIBRARY_PATH: packaged.libraryDir }),
    },
    headless: true,
  })
}

/** Why no browser could be started here, in words; undefined where one is there. */
export function missingBrowser(): string | undefined {
  const installed = installedBrowser()
  if (installed !== undefined)
    return existsSync(installed) ? undefined : `CHROMIUM_PATH is ${installed}, and that is not there.`
  // What is packaged is one program.
  return process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : 'No Chromium was found. Set CHROMIUM_PATH to one.'
}

function installedBrowser(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? systemBrowsers.find((path) => existsSync(path))
}

function inherited(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
