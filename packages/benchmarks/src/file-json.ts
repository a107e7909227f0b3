import { decodeText } from './decode-text.ts'
import { JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'
import { refusingAt } from './refusing-at.ts'

/**
 * A JSON file of an archive, whose places begin with the path of the file.
 * @throws {FormatError} with the path, when it is no JSON.
 */
export function jsonOfFile(path: string, bytes: Uint8Array): JsonValue {
  return new JsonValue(
    refusingAt(path, () => parseJson(decodeText(bytes)).value),
    `${path}, $`,
  )
}
