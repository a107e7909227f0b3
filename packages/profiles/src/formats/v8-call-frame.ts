import type { ScriptFrame } from '../symbols/script-functions.ts'
import type { JsonObject, JsonReader } from './json.ts'

/**
 * Reads a V8 `Runtime.CallFrame`: { functionName, url, lineNumber, columnNumber (both 0-based, -1 unknown) }.
 * https://chromedevtools.github.io/devtools-protocol/v8/Runtime/#type-CallFrame
 */
export function readCallFrame(json: JsonReader, frame: JsonObject, path: string): ScriptFrame {
  return {
    name: functionName(json, frame, path),
    file: frame.url === undefined ? '' : json.string(frame.url, `${path}.url`),
    line: frame.lineNumber === undefined ? 0 : json.number(frame.lineNumber, `${path}.lineNumber`) + 1,
    column: typeof frame.columnNumber === 'number' ? frame.columnNumber + 1 : 0,
  }
}

/** The same fields right in the node, 1-based: what Node wrote before version 12. */
export function readFlatFrame(json: JsonReader, node: JsonObject, path: string): ScriptFrame {
  return {
    name: functionName(json, node, path),
    file: node.url === undefined ? '' : json.string(node.url, `${path}.url`),
    line: node.lineNumber === undefined ? 0 : json.number(node.lineNumber, `${path}.lineNumber`),
    column: typeof node.columnNumber === 'number' ? node.columnNumber : 0,
  }
}

function functionName(json: JsonReader, frame: JsonObject, path: string): string {
  return json.string(frame.functionName, `${path}.functionName`) || '(anonymous)'
}
