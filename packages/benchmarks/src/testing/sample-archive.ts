import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTar } from 'nanotar'
import type { AdapterName } from '../adapters/index.ts'

/** A folder of samples/ as a tar archive, without the files that `leftOut` matches; for tests only. */
export function sampleArchive(adapter: AdapterName, folder: string, leftOut?: RegExp): Uint8Array {
  const root = fileURLToPath(new URL(`../../samples/${adapter}/${folder}`, import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((path) => statSync(path).isFile() && !leftOut?.test(path))
    .toSorted()
  return createTar(files.map((path) => ({ name: relative(root, path), data: readFileSync(path) })))
}
