import type { FunctionInterner } from '../function-interner.ts'
import type { JsonObject, JsonReader } from './json.ts'

/**
 * Interns the function of a V8 `Runtime.CallFrame`: { functionName, url, lineNumber (0-based, -1 unknown) }.
 * https://chromedevtools.github.io/devtools-protocol/v8/Runtime/#type-CallFrame
 */
export function internCallFrame(
  functions: FunctionInterner,
  json: JsonReader,
  frame: JsonObject,
  path: string,
): number {
  return functions.intern(
    functionName(json, frame, path),
    frame.url === undefined ? '' : json.string(frame.url, `${path}.url`),
    frame.lineNumber === undefined ? 0 : json.number(frame.lineNumber, `${path}.lineNumber`) + 1,
  )
}

/** The same fields right in the node, with a 1-based line: what Node wrote before version 12. */
export function internFlatFrame(
  functions: FunctionInterner,
  json: JsonReader,
  node: JsonObject,
  path: string,
): number {
  return functions.intern(
    functionName(json, node, path),
    node.url === undefined ? '' : json.string(node.url, `${path}.url`),
    node.lineNumber === undefined ? 0 : json.number(node.lineNumber, `${path}.lineNumber`),
  )
}

function functionName(json: JsonReader, frame: JsonObject, path: string): string {
  return json.string(frame.functionName, `${path}.functionName`) || '(anonymous)'
}
