import type { JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'
import { refusingAt } from './refusing-at.ts'

/**
 * Reads every JSON object that stands on a line of its own, among whatever else a program prints, if `recognises` the
 * beginning of the line.
 * @throws {FormatError} with the line, for one that is malformed or that `read` refuses.
 */
export function readJsonLines<Result>(
  text: string,
  recognises: RegExp,
  read: (json: JsonValue) => Result[],
): Result[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    return recognises.test(line) ? refusingAt(index + 1, () => read(parseJson(line))) : []
  })
}
