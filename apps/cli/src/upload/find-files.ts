import { glob, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../usage-error.ts'

/** A file on disk that was named, or found. */
export interface FoundFile {
  path: string
  /** As an archive names it: with slashes, below what was named, or below the working directory for several. */
  name: string
  /** It was named itself, and did not come out of a folder. */
  isNamed: boolean
}

/** As many as the reader of an archive takes. */
const filesMax = 20_000
/** What no benchmark tool writes to. */
const foreignFolders = new Set(['.git', 'node_modules'])

/**
 * The files that names stand for: a file itself, everything in a folder, or what a pattern (`*`, `**`, `?`, `[…]`,
 * `{…}`) matches. Each once, in the order of their names.
 *
 * @throws UsageError for a name that stands for nothing, and for too many files
 */
export async function findFiles(cwd: string, names: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const name of names) {
    for (const file of await filesOf(cwd, name, names.length === 1)) {
      if (!found.has(file.path)) found.set(file.path, file)
      if (found.size > filesMax) throw new UsageError(`There are more than ${filesMax} files: name fewer.`)
    }
  }
  return [...found.values()]
}

async function filesOf(cwd: string, name: string, isOnly: boolean): Promise<FoundFile[]> {
  const path = resolve(cwd, name)
  const facts = await stat(path).catch(() => undefined)
  if (facts?.isFile() === true) return [{ path, name: nameBelow(cwd, path), isNamed: true }]
  if (facts?.isDirectory() === true) {
    const files = await filesOfFolder(path, isOnly ? path : cwd)
    if (files.length === 0) throw new UsageError(`${name}: There is nothing in this folder.`)
    return files
  }
  const matches = await matchesOf(cwd, name)
  if (matches.length === 0) throw new UsageError(`${name}: There is no such file.`)
  return matches.map((file) => ({ path: file, name: nameBelow(cwd, file), isNamed: true }))
}

/** Everything in a folder that is not empty, with the names below another one; nothing where there is no folder. */
export async function filesOfFolder(folder: string, above = folder): Promise<FoundFile[]> {
  const facts = await stat(folder).catch(() => undefined)
  const paths = facts?.isDirectory() === true ? await filesIn(folder) : []
  return paths.map((path) => ({ path, name: nameBelow(above, path), isNamed: false }))
}

async function matchesOf(cwd: string, pattern: string): Promise<string[]> {
  if (!/[*?[{]/.test(pattern)) return []
  const paths: string[] = []
  const matches = glob(pattern, {
    cwd,
    withFileTypes: true,
    exclude: (entry) => foreignFolders.has(entry.name),
  })
  for await (const entry of matches) if (entry.isFile()) paths.push(join(entry.parentPath, entry.name))
  return paths.toSorted()
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const nested = await Promise.all(
    entries
      .filter((entry) => !foreignFolders.has(entry.name))
      .map(async (entry) => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) return filesIn(path)
        // Links are left alone: they may lead in circles, and out of the folder.
        return entry.isFile() ? withContent(path) : []
      }),
  )
  return nested.flat().toSorted()
}

/** Tools leave empty files in their folders. */
async function withContent(path: string): Promise<string[]> {
  return (await stat(path)).size > 0 ? [path] : []
}

function nameBelow(folder: string, path: string): string {
  const name = relative(folder, path).split(sep).join('/')
  return name.startsWith('../') ? basename(path) : name
}
