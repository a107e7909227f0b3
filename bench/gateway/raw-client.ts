import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** An answer as it came; `readBody` puts it together, which is only done for a few, and before the next request. */
export interface RawAnswer {
  status: number
  readBody: () => string
}

/** One kept connection to a server on loopback, for one request at a time. */
export interface RawClient {
  /** `request` is the whole HTTP/1.1 message. */
  send(request: string, answered: (answer: RawAnswer) => void): void
  close(): void
}

const endOfHead = Buffer.from('\r\n\r\n')
const endOfChunks = Buffer.from('0\r\n\r\n')

/**
 * As little as can send a request and see where its answer ends: the load generator shares a core with the API, and
 * whatever it takes is missing there. It reads into the same memory again and again, because a buffer for every read
 * makes the engine collect garbage for 30 ms of every second, which whoever is measured would seem to take.
 */
export async function openRawClient(url: string, failed: (error: Error) => void): Promise<RawClient> {
  const { hostname, port } = new URL(url)
  let received = Buffer.alloc(64 * 1024)
  let receivedBytes = 0
  let head: Head | undefined
  let answered: ((answer: RawAnswer) => void) | undefined
  const onread = {
    buffer: Buffer.alloc(64 * 1024),
    callback(bytes: number, buffer: Uint8Array) {
      receive(bytes, buffer)
      return true
    },
  }
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect({ port: Number(port), host: hostname, onread }, () => resolve(opening))
    opening.setNoDelay(true).once('error', reject)
  })
  socket.on('error', failed)
  socket.on('close', () => {
    if (answered) failed(new Error('The server hung up before it answered'))
  })

  function receive(bytes: number, buffer: Uint8Array): void {
    if (receivedBytes + bytes > received.length) {
      received = Buffer.concat([received], 2 * (receivedBytes + bytes))
    }
    received.set(buffer.subarray(0, bytes), receivedBytes)
    receivedBytes += bytes
    head ??= readHead(received.subarray(0, receivedBytes))
    if (!head || !isWhole(head)) return
    const { status, bodyAt, isChunked, isCompressed } = head
    const [bodyEnd, tell] = [receivedBytes, answered]
    receivedBytes = 0
    head = undefined
    answered = undefined
    tell?.({
      status,
      readBody() {
        const sent = received.subarray(bodyAt, bodyEnd)
        const body = isChunked ? joinChunks(sent) : sent
        return (isCompressed ? gunzipSync(body) : body).toString()
      },
    })
  }

  function isWhole({ bodyAt, bodyBytes, isChunked }: Head): boolean {
    if (!isChunked) return receivedBytes >= bodyAt + bodyBytes
    return received.subarray(bodyAt, receivedBytes).subarray(-endOfChunks.length).equals(endOfChunks)
  }

  return {
    send(request, callback) {
      answered = callback
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}

interface Head {
  status: number
  /** Where the body begins. */
  bodyAt: number
  bodyBytes: number
  isChunked: boolean
  isCompressed: boolean
}

/** Undefined as long as it has not all come. */
function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf(endOfHead)
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, end).toLowerCase()
  const length = /\r\ncontent-length: *(\d+)/.exec(text)?.[1]
  return {
    status: Number(text.slice(9, 12)),
    bodyAt: end + endOfHead.length,
    bodyBytes: Number(length ?? 0),
    isChunked: text.includes('\r\ntransfer-encoding: chunked'),
    isCompressed: text.includes('\r\ncontent-encoding: gzip'),
  }
}

/** The content of a body in chunks (RFC 9112, 7.1). */
function joinChunks(body: Buffer): Buffer {
  const contents: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    contents.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(contents)
}
