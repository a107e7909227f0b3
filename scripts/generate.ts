// `pnpm generate`: writes the reference pages, those about clients, and what clients install. With --check it writes nothing
// and exits with 1 when one is stale.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agentPages, staleAgentPages } from './agents/files.ts'
import { connectPages } from './connect/pages.ts'
import { referencePages } from './reference/pages.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const root = resolve(import.meta.dirname, '..')

for (const page of [...referencePages(), ...connectPages(), ...agentPages()]) {
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

for (const path of staleAgentPages(root)) {
  if (values.check) {
    console.error(`${path} is not generated any more: run pnpm generate.`)
    process.exitCode = 1
  } else {
    await rm(resolve(root, path))
    console.log(`removed ${path}`)
  }
}
