import type { ProfileFormat } from './profile.ts'

/**
 * The file is not what it should be. The message says what and where: a byte offset, a line or a JSON path.
 * It may quote a name of the file, clipped, but never what a library said (that is the `cause`).
 */
export class FormatError extends Error {
  override readonly name = 'FormatError'
  /** The format it was read as; absent when none was recognised. */
  readonly format: ProfileFormat | undefined
  /** `byte 17`, `line 3` or `$.nodes[4].id`; absent when it is about the whole file. */
  readonly where: string | undefined

  constructor(message: string, about: { format?: ProfileFormat; where?: string; cause?: unknown } = {}) {
    const prefix = about.format === undefined ? '' : `${about.format}: `
    const suffix = about.where === undefined ? '' : ` (at ${about.where})`
    super(`${prefix}${message}${suffix}`, about.cause === undefined ? undefined : { cause: about.cause })
    this.format = about.format
    this.where = about.where
  }
}
