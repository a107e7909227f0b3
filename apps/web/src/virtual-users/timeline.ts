/**
 * The containers of a recording as they are typed, one on each line: when it begins (ISO 8601 with an offset or Z), and its name. Times are
 * told in UTC, as the import wants them; a line that cannot be read stays as it is, so that the server says what is wrong.
 */
export function timelineOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, time = '', name = ''] =
        /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d)\s+(.+)$/.exec(line) ?? []
      const at = Date.parse(time)
      return Number.isNaN(at) ? line : `${new Date(at).toISOString()} ${name}`
    })
}
