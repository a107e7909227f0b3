import type { ProfileFile } from './profile-file.ts'
import type { ImportedProfile, ProfileFormat } from './profile.ts'
import type { SourceMaps } from './symbols/source-maps.ts'

export interface ImportOptions {
  /** Largest number of call-tree nodes; `limits.nodes` when absent. */
  maxNodes?: number
  /** Largest size of the file, decompressed; `limits.decompressedBytes` when absent. */
  maxDecompressedBytes?: number
  /** Of scripts, where they came with the profile. Formats that tell no columns pass them over. */
  sourceMaps?: SourceMaps
}

/** One file format. */
export interface Importer {
  format: ProfileFormat
  /** Whether this is such a file, told from its content; of several that say so, the first in the list reads it. */
  recognizes(file: ProfileFile): boolean
  /** Throws FormatError, and nothing else, when the file cannot be read. */
  read(file: ProfileFile, options: ImportOptions): ImportedProfile
}
