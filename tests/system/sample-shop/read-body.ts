import type { IncomingMessage } from 'node:http'

/** More is not read. */
const bytesMax = 10_000_000

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > bytesMax) throw new RangeError('The body is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

export interface FormPart {
  value: string
  fileName: string | undefined
  sizeBytes: number
}

/** Fields of a form by their names, from `multipart/form-data` (RFC 7578) as well as from an encoded body. */
export function readForm(contentType: string, body: Buffer): Map<string, FormPart> {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(contentType)?.[1]
  if (boundary === undefined)
    return new Map(
      [...new URLSearchParams(body.toString())].map(([name, value]) => [
        name,
        { value, fileName: undefined, sizeBytes: value.length },
      ]),
    )
  // Latin 1, because it has a character for every byte.
  const parts = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1, -1)
  return new Map(
    parts.flatMap((part) => {
      const end = part.indexOf('\r\n\r\n')
      const head = part.slice(0, end)
      const value = part.slice(end + 4)
      const name = /\bname="([^"]*)"/i.exec(head)?.[1]
      const fileName = /\bfilename="([^"]*)"/i.exec(head)?.[1]
      return name === undefined || end < 0 ? [] : [[name, { value, fileName, sizeBytes: value.length }]]
    }),
  )
}
