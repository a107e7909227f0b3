import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder with a folder of files per format, which is not part of the project; empty when none is given. */
const folder = process.env['FLAMEGATE_FIXTURES'] ?? ''

/** Paths of the files of a format, such as `jfr/example.jfr`; none where there is no such folder. */
export function fixturePaths(format: string): string[] {
  if (folder === '' || !existsSync(join(folder, format))) return []
  return readdirSync(join(folder, format), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, ''))
    .toSorted()
}

export function fixture(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(folder, path)))
}
