import type { BenchmarkResult, Environment } from './benchmark-result.ts'
import { decodeText } from './decode-text.ts'
import { FormatError } from './format-error.ts'
import type { JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'
import type { ResultFiles, ResultInput } from './result-input.ts'
import type { WarningList } from './warning-list.ts'

/** What a reader finds; its warnings go to the list it is given. */
export interface Reading {
  environment: Environment
  results: BenchmarkResult[]
}

/** Reads one form in which a tool writes its results, told from others by its content. */
export interface Reader {
  /** Undefined when it does not recognise the input. */
  readIfRecognised: (input: ResultInput, warnings: WarningList) => Reading | undefined
  /** Has the reader say itself what is wrong with a file that it does not recognise. */
  readAnyway: (bytes: Uint8Array, warnings: WarningList) => Reading
}

type Recognises<Content> = (content: Content) => boolean
/** @throws {FormatError} with a place, when the content is not what the tool writes. */
type Reads<Content> = (content: Content, warnings: WarningList) => Reading

/** One JSON document. */
export function jsonReader(recognises: Recognises<JsonValue>, read: Reads<JsonValue>): Reader {
  return {
    readIfRecognised: (input, warnings) =>
      input.form === 'json' && recognises(input.content) ? read(input.content, warnings) : undefined,
    readAnyway: (bytes, warnings) => read(parseJson(decodeText(bytes)), warnings),
  }
}

/** Any other UTF-8, JSON Lines too. */
export function textReader(recognises: Recognises<string>, read: Reads<string>): Reader {
  return {
    readIfRecognised: (input, warnings) =>
      input.form === 'text' && recognises(input.content) ? read(input.content, warnings) : undefined,
    readAnyway: (bytes, warnings) => read(decodeText(bytes), warnings),
  }
}

/** A binary format. */
export function bytesReader(recognises: Recognises<Uint8Array>, read: Reads<Uint8Array>): Reader {
  return {
    readIfRecognised: (input, warnings) =>
      input.form === 'bytes' && recognises(input.content) ? read(input.content, warnings) : undefined,
    readAnyway: read,
  }
}

/** Several files that belong together. */
export function folderReader(recognises: Recognises<ResultFiles>, read: Reads<ResultFiles>): Reader {
  return {
    readIfRecognised: (input, warnings) =>
      input.form === 'folder' && recognises(input.content) ? read(input.content, warnings) : undefined,
    readAnyway: () => {
      throw new FormatError('Expected a tar archive of the folder that the tool writes')
    },
  }
}
