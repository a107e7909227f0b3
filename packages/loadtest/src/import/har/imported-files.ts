import { hasStoredEnding } from '../file-paths.ts'
import type { ImportedFile } from '../importer.ts'

/** Most bytes of all files that an import makes. */
const bytesMax = 100_000_000

/** What the requests of a recording upload, as files of the project. Each path is given once. */
export class ImportedFiles {
  readonly #byPath = new Map<string, ImportedFile | undefined>()
  #sizeBytes = 0

  all(): ImportedFile[] {
    return [...this.#byPath.values()].filter((file) => file !== undefined)
  }

  /** Path of a file with this content; undefined when there are too many bytes of files already. */
  add(folder: string, fileName: string, contentType: string, bytes: Uint8Array): string | undefined {
    for (const path of this.#paths(folder, fileName)) {
      const known = this.#byPath.get(path)
      if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return path
      if (this.#byPath.has(path)) continue
      if (this.#sizeBytes + bytes.length > bytesMax) return undefined
      this.#sizeBytes += bytes.length
      this.#byPath.set(path, { path, contentType, bytes })
      return path
    }
    return undefined
  }

  /** Path for a file of which the content is not known; the same for the same name. */
  addMissing(folder: string, fileName: string): string {
    for (const path of this.#paths(folder, fileName)) {
      if (this.#byPath.has(path) && this.#byPath.get(path) !== undefined) continue
      this.#byPath.set(path, undefined)
      return path
    }
    return `${folder}/file.bin`
  }

  /**
   * `uploads/photo.png`, `uploads/photo-2.png` and so on: names in a request may hold anything. What a project would not take an upload
   * of gets `.bin` behind it.
   */
  *#paths(folder: string, fileName: string): Generator<string> {
    const [, stem = '', extension = ''] =
      /^(.*?)(\.\w{1,12})?$/s.exec(/[^/\\]*$/.exec(fileName)![0].replace(/[^\p{L}\p{N}._ -]/gu, '_')) ?? []
    const ending = hasStoredEnding(extension) ? extension : `${extension}.bin`
    const name = stem.replace(/^[. ]+/, '').slice(0, 60) || 'file'
    for (let count = 1; count <= 1000; count++)
      yield `${folder}/${name}${count === 1 ? '' : `-${count}`}${ending}`
  }
}
