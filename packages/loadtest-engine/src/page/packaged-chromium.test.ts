import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { packagedChromium } from './packaged-chromium.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unpacked-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'who needs the browser at the same moment gets a whole one, and it is there once',
  async () => {
    const folder = await newFolder()
    const got = await Promise.all([1, 2, 3].map(() => packagedChromium(folder)))
    expect(await readdir(folder)).toHaveLength(1)
    const found = await packagedChromium(folder)
    expect(got).toEqual([found, found, found])
    const { stdout } = await promisify(execFile)(found.executablePath, ['--version'], {
      env: { LD_LIBRARY_PATH: found.libraryDir },
    })
    expect(stdout).toMatch(/Chrom/)
  },
)

test('what somebody else laid in its place is not started', async () => {
  const folder = await newFolder()
  const { executablePath } = await packagedChromium(folder)
  const place = join(executablePath, '..')
  await rm(place, { recursive: true })
  await symlink(tmpdir(), place)
  await expect(packagedChromium(folder)).rejects.toThrow('is not ours')
})
