import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const smallestBytes = 1024

/** Writes a `.br` beside every text file of the build, so that the gateway need not compress on every request. */
export function precompress(): Plugin {
  return {
    name: 'flamegate:precompress',
    apply: 'build',
    // From what was written, because other plugins change chunks until then.
    async writeBundle({ dir = '.' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|html)$/.test(name))
      await Promise.all(
        names.map(async (name) => {
          const source = await readFile(join(dir, name))
          if (source.length >= smallestBytes) await writeFile(join(dir, `${name}.br`), await compress(source))
        }),
      )
    },
  }
}
