import { execFile } from 'node:child_process'
import { lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A browser that was unpacked. */
export interface UnpackedChromium {
  executablePath: string
  /** Libraries that a small system lacks. */
  libraryDir: string
}

/**
 * The browser inside @sparticuz/chromium, unpacked below `parentDir` by whoever needs it first. It appears there as a whole: others,
 * who need it at the same moment, never start one that is still being written.
 *
 * @throws Error when what is there belongs to somebody else, or nothing can be written
 */
export async function packagedChromium(parentDir = tmpdir()): Promise<UnpackedChromium> {
  const folder = join(parentDir, `flamegate-chromium-${await packagedVersion()}-${userInfo().uid}`)
  if (!(await isOurs(folder))) await unpack(parentDir, folder)
  return { executablePath: join(folder, 'chromium'), libraryDir: join(folder, 'al2023', 'lib') }
}

async function packagedVersion(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const manifest: { version: string } = JSON.parse(
    await readFile(join(dirname(dirname(entry)), 'package.json'), 'utf8'),
  )
  return manifest.version
}

/** The folder of temporary files is everybody's: what somebody else laid there is not started. */
async function isOurs(folder: string): Promise<boolean> {
  const stat = await lstat(folder).catch(() => undefined)
  if (stat === undefined) return false
  if (stat.isDirectory() && stat.uid === userInfo().uid) return true
  throw new Error(`${folder} is not ours. Remove it, or set CHROMIUM_PATH to a Chromium.`)
}

async function unpack(parentDir: string, folder: string): Promise<void> {
  const ownFolder = await mkdtemp(join(parentDir, 'flamegate-chromium-'))
  try {
    await promisify(execFile)(
      process.execPath,
      [fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))],
      {
        env: { TMPDIR: ownFolder },
      },
    )
    await rename(ownFolder, folder)
  } catch (error) {
    await rm(ownFolder, { recursive: true, force: true })
    // Somebody else was as quick.
    if (!(await isOurs(folder))) throw error
  }
}
