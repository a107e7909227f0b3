import type { Field } from '../../model/template.ts'
import { isUtf8, splitQuery } from '../address.ts'
import { type BodyDraft, InnerElements } from '../import-draft.ts'
import type { ServerSettings } from '../server-drafts.ts'
import type { Argument } from './read-arguments.ts'

/** What the options of a command say, up to `--next`. */
export interface Transfer {
  urls: Argument[]
  method: string | null
  headers: Field[]
  /** Pieces of a body, put together with &. */
  data: { text: string; separator: string }[]
  isJson: boolean
  parts: Extract<BodyDraft, { type: 'multipart' }>['parts']
  file: string | null
  user: { name: string; password: string } | null
  isDigest: boolean
  bearer: string | null
  /** As they are written. */
  query: string[]
  sendsDataInQuery: boolean
  isHead: boolean
  follows: boolean
  redirectsMax: number | null
  timeoutMs: number | null
  settings: ServerSettings
  inner: InnerElements
}

export function newTransfer(): Transfer {
  return {
    urls: [],
    method: null,
    headers: [],
    data: [],
    isJson: false,
    parts: [],
    file: null,
    user: null,
    isDigest: false,
    bearer: null,
    query: [],
    sendsDataInQuery: false,
    isHead: false,
    follows: false,
    redirectsMax: null,
    timeoutMs: null,
    settings: {},
    inner: new InnerElements(),
  }
}

/** The body that is sent; `text` is what the pieces of data are together, null where there are none. */
export function bodyOf(
  transfer: Transfer,
  text: string | null,
  has: (header: string) => boolean,
): BodyDraft | null {
  if (transfer.parts.length > 0) return { type: 'multipart', parts: transfer.parts }
  if (text === null) {
    if (transfer.file === null) return null
    const isForm = transfer.method !== 'PUT' && !has('content-type')
    return {
      type: 'file',
      path: transfer.file,
      ...(transfer.isJson
        ? { content_type: 'application/json' }
        : isForm
          ? { content_type: 'application/x-www-form-urlencoded' }
          : {}),
    }
  }
  if (transfer.isJson) return { type: 'json', text }
  if (has('content-type')) return { type: 'raw', text }
  return isFieldList(text) && isUtf8(text)
    ? { type: 'form', fields: splitQuery(text) }
    : { type: 'raw', text, content_type: 'application/x-www-form-urlencoded' }
}

/** Whether a text that is sent as a form would be the same as fields of a form. */
function isFieldList(text: string): boolean {
  return /^[^=&\s{}<>"]+=[^&{}<>"\n]*(?:&[^=&\s{}<>"]+=[^&{}<>"\n]*)*$/.test(
    text.replaceAll(/\$\{[^}]*\}/g, 'x'),
  )
}

/** As curl does it; variables stay. */
export function encodeField(text: string): string {
  return text
    .split(/(\$\{[^}]*\})/)
    .map((piece, index) => (index % 2 === 1 ? piece : encodeURIComponent(piece.toWellFormed())))
    .join('')
}
