import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const yearSeconds = 31_536_000
/** What a build puts here has a hash of its content in its name. */
const hashedFolder = 'assets/'

/** How long browsers keep a file of a build: for good where its name changes with its content, else only while it is the same. */
export function hashedCaching(file: string): string {
  return file.startsWith(hashedFolder) ? `public, max-age=${yearSeconds}, immutable` : 'no-cache'
}

/** Paths relative to `root`, with `/` between the parts. */
export async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}
