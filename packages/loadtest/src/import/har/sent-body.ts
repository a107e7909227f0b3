import { jsonExcess } from '../../json/json-excess.ts'
import { type JsonObject, asList, asObject } from '../../json/json-values.ts'
import type { RequestBody } from '../../model/request.ts'
import type { Field } from '../../model/template.ts'
import { literal, textCharactersMax } from '../../model/template.ts'
import { jsonLevelsMax } from '../parse-json.ts'
import { isBase64, mimeTypeOf } from './har-body.ts'
import type { HarEntry } from './har-entry.ts'
import { textOf } from './har-values.ts'
import type { ImportedFiles } from './imported-files.ts'
import { parseMultipart } from './multipart.ts'

/** What a request sends, as the model says it; `notes` tell what is not as it was. */
export interface SentBody {
  body: RequestBody | null
  notes: string[]
}

const form = 'application/x-www-form-urlencoded'
const fieldsMax = 2000
const partsMax = 500

/** The body of an entry. Files that it uploads are put into `files`. */
export function sentBody(entry: HarEntry, postData: JsonObject, files: ImportedFiles): SentBody {
  const type = contentTypeOf(entry, postData)
  const text = textOf(postData['text'])
  const params = asList(postData['params']).map(asObject)
  if (type !== null && isMultipart(type)) {
    const parts =
      text === null ? partsOfParams(params) : partsOfText(text, { isBinary: isBase64(postData), type })
    if (parts !== undefined && parts.length <= partsMax) return multipart(parts, files)
  }
  if (text === null) {
    if (params.length === 0 || params.length > fieldsMax) return nothing(entry, type)
    return { body: { type: 'form', fields: params.map(fieldOf) }, notes: [] }
  }
  if (isBase64(postData)) return ofBase64(entry, text, type, files)
  if (type?.toLowerCase().startsWith(form) === true) {
    const fields = parseForm(text)
    if (fields !== undefined) return { body: { type: 'form', fields }, notes: [] }
  }
  if (text.length > textCharactersMax) return asFile(entry, Buffer.from(text), type, files)
  if (type !== null && /[/+]json\b/i.test(type) && isJson(text))
    return { body: { type: 'json', text: literal(text), content_type: type }, notes: [] }
  return { body: { type: 'raw', text: literal(text), content_type: type }, notes: mangled(text) }
}

/** As the request said, else as the recorder did. */
function contentTypeOf({ headers }: HarEntry, postData: JsonObject): string | null {
  const told = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value
  return (told ?? mimeTypeOf(postData['mimeType']))?.slice(0, 200) ?? null
}

/** The fields of a form; undefined when sending them would not give this text again. */
export function parseForm(text: string): Field[] | undefined {
  if (text.length > textCharactersMax) return undefined
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > fieldsMax || text.split('&').some((pair) => !pair.includes('='))) return undefined
  // What is no UTF-8 comes out as the replacement character.
  if (pairs.some(([name, value]) => name.includes('\uFFFD') || value.includes('\uFFFD'))) return undefined
  return pairs.map(([name, value]) => ({ name: literal(name), value: literal(value) }))
}

interface Part {
  name: string
  fileName: string | null
  contentType: string | null
  /** Undefined where the recording does not have it. */
  content: Buffer | undefined
}

function partsOfText(
  text: string,
  { isBinary, type }: { isBinary: boolean; type: string },
): Part[] | undefined {
  const parts = parseMultipart(Buffer.from(text, isBinary ? 'base64' : 'utf8'), type)
  // Browsers leave the content of files out, or make text of it that says nothing any more.
  return parts?.map((part) => {
    // For a file input in which nothing was chosen, they send no content with an empty name.
    const isLost =
      part.content.length === 0 ? part.fileName !== '' : !isBinary && part.content.includes('\uFFFD')
    return { ...part, content: part.fileName !== null && isLost ? undefined : part.content }
  })
}

function partsOfParams(params: readonly JsonObject[]): Part[] | undefined {
  if (params.length === 0) return undefined
  return params.map((param) => {
    const value = textOf(param['value'])
    const contentType = textOf(param['contentType'])
    // A file input in which nothing was chosen has a type; some recorders write an empty name for other fields, too.
    const isUnchosen = param['fileName'] === '' && value === null && contentType !== null
    const fileName = isUnchosen ? '' : textOf(param['fileName'])
    return {
      name: textOf(param['name']) ?? '',
      fileName,
      contentType,
      content: value === null && fileName !== null && !isUnchosen ? undefined : Buffer.from(value ?? ''),
    }
  })
}

function multipart(found: readonly Part[], files: ImportedFiles): SentBody {
  const notes: string[] = []
  const parts = found.map(({ name, fileName, contentType, content }) => {
    const content_type = contentType?.slice(0, 200) ?? null
    if (fileName === null)
      return {
        type: 'field' as const,
        name: literal(name),
        value: literal((content ?? Buffer.alloc(0)).toString()),
        content_type,
      }
    const fileType = content_type ?? 'application/octet-stream'
    let path = content && files.add('uploads', fileName, fileType, content)
    if (path === undefined) {
      path = files.addMissing('uploads', fileName)
      notes.push(`The recording does not have the content of ${fileName}: upload it as the file ${path}.`)
    }
    return {
      type: 'file' as const,
      name: literal(name),
      path,
      file_name: literal(fileName),
      content_type: fileType,
    }
  })
  return { body: { type: 'multipart', parts }, notes }
}

function ofBase64(entry: HarEntry, data: string, type: string | null, files: ImportedFiles): SentBody {
  const isWhole = data.length <= 4_000_000 && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
  if (isWhole) return { body: { type: 'base64', data, content_type: type }, notes: [] }
  return asFile(entry, Buffer.from(data, 'base64'), type, files)
}

/** What is too long to be written in a document. */
function asFile(entry: HarEntry, bytes: Buffer, type: string | null, files: ImportedFiles): SentBody {
  const contentType = type ?? 'application/octet-stream'
  const path = files.add('bodies', `entry-${entry.index}`, contentType, bytes)
  if (path === undefined)
    return { body: null, notes: ['The bodies of the recording are too large: this one is left out.'] }
  return { body: { type: 'file', path, content_type: contentType }, notes: [] }
}

/** No body; where there was one that the recorder left out, its parts can be added. */
function nothing(entry: HarEntry, type: string | null): SentBody {
  const header = (wanted: string) => entry.headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  // Some clients tell the type of a body with GET, too, which has none.
  const mayHaveBody =
    entry.method !== 'GET' && entry.method !== 'HEAD' && header('content-type') !== undefined
  const isLost = Number(header('content-length') ?? (mayHaveBody ? 1 : 0)) > 0
  if (!isLost) return { body: null, notes: [] }
  return {
    body: isMultipart(type) ? { type: 'multipart', parts: [] } : null,
    notes: ['The recording does not have the body: write it into the request.'],
  }
}

function isMultipart(type: string | null): boolean {
  return type?.toLowerCase().startsWith('multipart/form-data') === true
}

function mangled(text: string): string[] {
  return text.includes('\uFFFD')
    ? ['The recorder made text of a binary body, which is not what was sent: put a file in its place.']
    : []
}

function fieldOf(param: JsonObject): Field {
  return { name: literal(textOf(param['name']) ?? ''), value: literal(textOf(param['value']) ?? '') }
}

function isJson(text: string): boolean {
  if (jsonExcess(text, jsonLevelsMax) !== undefined) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
