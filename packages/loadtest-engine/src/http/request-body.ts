import { posix } from 'node:path'
import type { RequestBody } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'
import type { Compiler } from '../program/compiler.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import type { Random } from '../random.ts'

/** What bodies are made with. */
export interface BodyContext {
  expand: (template: CompiledTemplate) => string
  openFile: (path: string) => Promise<Uint8Array | undefined>
  random: Random
}

export interface MadeBody {
  bytes: Buffer
  contentType: string | null
  /** The content type has to be this one, whatever the headers of the request say. */
  isTypeGiven: boolean
}

/** Waits for files only. */
export type MakeBody = (context: BodyContext) => MadeBody | Promise<MadeBody>

export function compileBody(body: RequestBody, compiler: Compiler): MakeBody {
  switch (body.type) {
    case 'raw':
    case 'json': {
      const text = compiler.template(body.text)
      return ({ expand }) => made(Buffer.from(expand(text)), body.content_type)
    }
    case 'form': {
      const fields = compiler.fields(body.fields)
      return ({ expand }) => {
        const pairs = fields.map(([name, value]): [string, string] => [expand(name), expand(value)])
        return made(Buffer.from(new URLSearchParams(pairs).toString()), 'application/x-www-form-urlencoded')
      }
    }
    case 'multipart':
      return compileMultipart(body.parts, compiler)
    case 'file':
      return async (context) => made(await bytesOf(body.path, context), body.content_type)
    default: {
      const bytes = Buffer.from(body.data, 'base64')
      return () => made(bytes, body.content_type)
    }
  }
}

function made(bytes: Buffer, contentType: string | null): MadeBody {
  return { bytes, contentType, isTypeGiven: false }
}

/** RFC 7578, with names escaped as browsers do it. */
function compileMultipart(
  parts: Extract<RequestBody, { type: 'multipart' }>['parts'],
  compiler: Compiler,
): MakeBody {
  const compiled = parts.map((part) => {
    const name = compiler.template(part.name)
    const value = part.type === 'field' ? compiler.template(part.value) : ''
    const fileName =
      part.type === 'file' ? compiler.template(part.file_name ?? posix.basename(part.path)) : null
    return { part, name, value, fileName }
  })
  return async (context) => {
    const { expand, random } = context
    const boundary = `----FlamegateFormBoundary${random.uuid().replaceAll('-', '').slice(0, 16)}`
    const pieces: Buffer[] = []
    for (const { part, name, value, fileName } of compiled) {
      const file = fileName === null ? '' : `; filename="${quoted(expand(fileName))}"`
      const head = [
        `--${boundary}`,
        `Content-Disposition: form-data; name="${quoted(expand(name))}"${file}`,
        ...(part.content_type === null ? [] : [`Content-Type: ${part.content_type}`]),
      ]
      pieces.push(
        Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
        part.type === 'file' ? await bytesOf(part.path, context) : Buffer.from(expand(value)),
        Buffer.from('\r\n'),
      )
    }
    pieces.push(Buffer.from(`--${boundary}--\r\n`))
    return {
      bytes: Buffer.concat(pieces),
      contentType: `multipart/form-data; boundary=${boundary}`,
      isTypeGiven: true,
    }
  }
}

function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

async function bytesOf(path: string, { openFile }: BodyContext): Promise<Buffer> {
  const bytes = await openFile(path)
  if (bytes === undefined)
    throw new ActionFailure(
      `The file ${path} does not exist in this project. Upload it, or name another one.`,
    )
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
