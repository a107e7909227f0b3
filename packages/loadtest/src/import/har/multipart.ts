/** A part of a [multipart body](https://www.rfc-editor.org/rfc/rfc7578). */
export interface MultipartPart {
  name: string
  /** Null where it is a field and no file. */
  fileName: string | null
  contentType: string | null
  content: Buffer
}

const partsMax = 500
const headerBytesMax = 16_000
const newline = /\r?\n/

/** The parts of a body; undefined when it is none, or has more than 500 of them. */
export function parseMultipart(bytes: Buffer, contentType: string): MultipartPart[] | undefined {
  const boundary = /boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType)
  if (boundary === null) return undefined
  const delimiter = `--${boundary[1] ?? boundary[2]}`
  const parts: MultipartPart[] = []
  let from = bytes.indexOf(delimiter)
  while (from !== -1) {
    const start = from + delimiter.length
    if (bytes.toString('latin1', start, start + 2) === '--') return parts
    const next = bytes.indexOf(delimiter, start)
    if (next === -1 || parts.length === partsMax) return undefined
    const part = parsePart(bytes.subarray(start, next))
    if (part === undefined) return undefined
    parts.push(part)
    from = next
  }
  return undefined
}

/** Recorders that keep text write `\n` for `\r\n` now and then. */
function parsePart(bytes: Buffer): MultipartPart | undefined {
  const crlf = bytes.indexOf('\r\n\r\n')
  const lf = bytes.indexOf('\n\n')
  const isLf = crlf === -1 || (lf !== -1 && lf < crlf)
  const end = isLf ? lf : crlf
  if (end === -1 || end > headerBytesMax) return undefined
  const headers = bytes.toString('utf8', 0, end).split(newline)
  const disposition = headerOf(headers, 'content-disposition')
  const name = disposition && parameterOf(disposition, 'name')
  if (disposition == null || name == null) return undefined
  const last = bytes.toString('latin1', bytes.length - 2)
  return {
    name,
    fileName: parameterOf(disposition, 'filename'),
    contentType: headerOf(headers, 'content-type'),
    content: bytes.subarray(
      end + (isLf ? 2 : 4),
      Math.max(end + (isLf ? 2 : 4), bytes.length - (last === '\r\n' ? 2 : 1)),
    ),
  }
}

function headerOf(lines: readonly string[], name: string): string | null {
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim() ?? null
}

/** Browsers write `%22` for a quote in a name. */
function parameterOf(disposition: string, name: string): string | null {
  const found = new RegExp(`(?:^|[;\\s])${name}="([^"]*)"`, 'i').exec(disposition)
  return found?.[1]?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') ?? null
}
