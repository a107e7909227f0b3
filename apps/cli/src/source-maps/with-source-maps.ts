import { writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { inOwnFolder } from '../capture/in-own-folder.ts'
import { findCheckout } from '../origin/git.ts'
import { filesOfFolder } from '../upload/find-files.ts'
import { writeArchive, type TarEntry } from '../upload/tar.ts'
import { openFile, type UploadFile } from '../upload/upload-file.ts'
import { UsageError } from '../usage-error.ts'
import { findSourceMap } from './find-source-map.ts'
import { mayNameScripts, scriptsOfProfile, searchedBytesMax } from './scripts-of-profile.ts'
import { sendableSourceMap } from './sendable-source-map.ts'
import type { SourceMapSearch } from './source-map-options.ts'

/** What the platform takes of one map, and of all that come with a profile. */
const mapBytesMax = 50 * 1024 * 1024
const allBytesMax = 200 * 1024 * 1024

/** What is uploaded of a profile. */
export interface ProfileToSend {
  /** The profile alone, or an archive of it and its source maps, which is gone after `use`. */
  file: UploadFile
  sourceMapCount: number
  warnings: string[]
}

/**
 * Gives `use` a profile together with the source maps of the scripts in it, as a tar.gz in which the profile is as it was;
 * the profile alone when there are none.
 *
 * @throws UsageError for a folder to look in that is empty
 */
export async function withSourceMaps<T>(
  profile: UploadFile,
  search: SourceMapSearch | undefined,
  use: (sent: ProfileToSend) => Promise<T>,
): Promise<T> {
  const alone: ProfileToSend = { file: profile, sourceMapCount: 0, warnings: [] }
  const isSearched = profile.sizeBytes <= searchedBytesMax && mayNameScripts(profile.head)
  if (search === undefined || !isSearched) return use(alone)
  const content = await profile.read()
  const scripts = scriptsOfProfile(content)
  if (scripts.length === 0) return use(alone)
  return inOwnFolder(async (folder) => {
    const { maps, warnings } = await writeMaps(scripts, search, folder)
    if (maps.length === 0) return use({ ...alone, warnings })
    // With its ending it is to be no longer than the name of an upload may be.
    const path = join(folder, `${profile.name.slice(0, 190)}.tar.gz`)
    const own = join(folder, 'profile')
    await writeFile(own, content)
    await writeArchive(path, [{ name: profile.name, path: own, sizeBytes: content.length }, ...maps])
    return use({ file: await openFile(path, path), sourceMapCount: maps.length, warnings })
  })
}

async function writeMaps(
  scripts: readonly string[],
  search: SourceMapSearch,
  folder: string,
): Promise<{ maps: TarEntry[]; warnings: string[] }> {
  const named = await mapsByName(search)
  const checkout = await findCheckout(search.cwd)
  const maps: TarEntry[] = []
  const warnings: string[] = []
  let allBytes = 0
  for (const script of scripts) {
    const found = await findSourceMap(script, named)
    const text = found && sendableSourceMap(found.bytes, script)
    if (found === undefined || text === undefined) continue
    const sizeBytes = Buffer.byteLength(text)
    if (sizeBytes > mapBytesMax || allBytes + sizeBytes > allBytesMax) {
      warnings.push(`The source map ${found.path} is too large: functions of ${script} stay as they are.`)
      continue
    }
    allBytes += sizeBytes
    const path = join(folder, `${maps.length}.map`)
    await writeFile(path, text)
    maps.push({ name: nameIn(checkout, found.path), path, sizeBytes })
  }
  return { maps, warnings }
}

/** Sources are relative to where a map is, so within the checkout they are told from its root. */
function nameIn(checkout: string | undefined, path: string): string {
  const inside = checkout === undefined ? '..' : relative(checkout, path)
  const isInside = !inside.startsWith('..') && !isAbsolute(inside)
  const name = (isInside ? inside : path).split(sep).join('/')
  return name.endsWith('.map') ? name : `${name}.map`
}

/**
 * Of several maps that are called alike, the one whose folders are most like those of the script. Of a script in `node_modules`,
 * its package has to be the same: many have an `index.js`.
 */
async function mapsByName({
  cwd,
  folders,
}: SourceMapSearch): Promise<(script: string) => string | undefined> {
  const byName = new Map<string, string[]>()
  for (const folder of folders) {
    const files = await filesOfFolder(resolve(cwd, folder))
    if (files.length === 0) throw new UsageError(`--source-maps ${folder}: There is nothing there.`)
    for (const { path } of files) {
      const name = basename(path)
      if (name.endsWith('.map')) byName.set(name, [...(byName.get(name) ?? []), path])
    }
  }
  return (script) => {
    const [address = ''] = script.split('?', 1)
    const parts = `${address}.map`.split(/[\\/]/)
    const likeness = (path: string) => {
      const others = path.split(sep)
      let same = 0
      while (same < parts.length && parts.at(-1 - same) === others.at(-1 - same)) same++
      return same
    }
    const dependencies = parts.lastIndexOf('node_modules')
    const least = dependencies < 0 ? 1 : parts.length - 1 - dependencies
    const candidates = (byName.get(parts.at(-1) ?? '') ?? []).filter((path) => likeness(path) >= least)
    return candidates.toSorted((a, b) => likeness(b) - likeness(a))[0]
  }
}
