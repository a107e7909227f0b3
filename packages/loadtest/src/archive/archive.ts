import type { Imported } from '../import/importer.ts'

/** Virtual users with all they need to run, but for the values of secrets and the recordings, which stay where they are. */
export type Archive = Omit<Imported, 'report'>

/**
 * How an archive is laid out in its ZIP file: `manifest.json`, a folder for each kind of documents with a file for each, named
 * after its id, and the project's files in `files/`.
 */
export const archiveFormat = 'flamegate-archive'
export const archiveVersion = 1
export const manifestName = 'manifest.json'
export const filesFolder = 'files/'
