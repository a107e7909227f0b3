/**
 * The bytes are not what the format promises. `place` is a line number (text formats, broken JSON) or a JSON path
 * such as `$.results[0].mean`; it is part of the message, so that a caller can pass the message on as it is.
 */
export class FormatError extends Error {
  readonly place: number | string | undefined

  constructor(message: string, place?: number | string) {
    super(`${message}${describePlace(place)}`)
    this.name = 'FormatError'
    this.place = place
  }
}

function describePlace(place: number | string | undefined): string {
  if (place === undefined) return ''
  return typeof place === 'number' ? ` (line ${place})` : ` (at ${place})`
}
