import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root } from './paths.mjs'

const stampDir = inRoot('node_modules', '.cache', 'flamegate')

/**
 * A hash over the paths and contents of files, and of all files in directories, below the checkout. What is not there
 * counts as empty; tests do not count, because nothing is built from them.
 * @param {readonly string[]} paths relative to the checkout
 * @param {readonly string[]} [more] anything else that the result depends on
 */
export function contentHash(paths, more = []) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0')
  }
  for (const text of more) hash.update(`${text}\0`)
  return hash.digest('hex')
}

const skipped = new Set(['node_modules', 'dist', 'generated'])

/**
 * @param {string} relative
 * @returns {string[]}
 */
function filesBelow(relative) {
  if (!existsSync(inRoot(relative))) return []
  const entries = readEntries(relative)
  if (!entries) return [relative]
  return entries.flatMap((entry) => {
    const below = path.join(relative, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(below)
    return entry.isFile() && !entry.name.includes('.test.') ? [below] : []
  })
}

/** @param {string} relative */
function readEntries(relative) {
  try {
    return readdirSync(path.join(root, relative), { withFileTypes: true })
  } catch {
    return undefined
  }
}

/**
 * @param {string} name
 * @param {string} hash
 */
export function isStamped(name, hash) {
  try {
    return readFileSync(path.join(stampDir, name), 'utf8') === hash
  } catch {
    return false
  }
}

/**
 * Call this last, so that an interrupted step is done again.
 * @param {string} name
 * @param {string} hash
 */
export function stamp(name, hash) {
  mkdirSync(stampDir, { recursive: true })
  writeFileSync(path.join(stampDir, name), hash)
}
