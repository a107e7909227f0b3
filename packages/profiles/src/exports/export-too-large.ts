/** The file would be larger than we ourselves could read again. */
export class ExportTooLarge extends Error {
  override readonly name = 'ExportTooLarge'
}
