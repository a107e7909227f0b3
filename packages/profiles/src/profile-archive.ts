import { FormatError } from './format-error.ts'
import { SourceMaps } from './symbols/source-maps.ts'
import { isTar, readTar } from './tar.ts'

/** A profile with what is needed to tell its functions as they were written. */
export interface ProfileArchive {
  /** As its tool wrote it, gzipped or not. */
  profile: Uint8Array
  sourceMaps: SourceMaps
}

/**
 * What is in a tar archive of one profile and source maps (`*.map`); undefined when it is none.
 * @throws FormatError when it is damaged, or has not exactly one profile
 */
export function openArchive(content: Uint8Array): ProfileArchive | undefined {
  if (!isTar(content)) return undefined
  // macOS' tar puts what it knows of a file beside it, under its name after `._`.
  const files = readTar(content).filter(({ name }) => !/(^|\/)\._[^/]*$/.test(name))
  const [profile, another] = files.filter(({ name }) => !isSourceMap(name))
  if (profile === undefined) throw new FormatError('the archive holds no profile')
  if (another !== undefined)
    throw new FormatError('an archive holds one profile, and beside it source maps (*.map) only')
  const sourceMaps = new SourceMaps(files.filter(({ name }) => isSourceMap(name)))
  return { profile: profile.bytes, sourceMaps }
}

function isSourceMap(name: string): boolean {
  return /\.map$/i.test(name)
}
