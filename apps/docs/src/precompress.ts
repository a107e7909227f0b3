import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
// The last two levels take ten times as long, and save a few per cent.
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
const smallestBytes = 1024

/** Writes a `.br` beside every text file of the build, so that the gateway need not compress on every request. */
export async function precompress(folder: string): Promise<void> {
  await Promise.all(
    globSync('**/*.{html,js,css}', { cwd: folder }).map(async (name) => {
      const path = join(folder, name)
      const source = await readFile(path)
      if (source.length >= smallestBytes) await writeFile(`${path}.br`, await compress(source, { params }))
    }),
  )
}
