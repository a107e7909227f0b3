// `pnpm generate`: writes the reference pages. With --check it writes nothing and exits with 1 when one is stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { referencePages } from './reference/pages.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const root = resolve(import.meta.dirname, '..')

for (const page of referencePages()) {
  const path = resolve(root, page.path)
  const isFresh = (await readFile(path, 'utf8').catch(() => '')) === page.content
  if (isFresh) continue
  if (values.check) {
    console.error(`${page.path} is stale: run pnpm generate.`)
    process.exitCode = 1
  } else {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, page.content)
    console.log(`wrote ${page.path}`)
  }
}
