import type { Duplex } from 'node:stream'
import { getSystemErrorName } from 'node:util'

/** What is below the stream of a socket, as Node.js has it (lib/internal/stream_base_commons.js). */
interface Handle {
  /** 0, or the number of an error of the system. */
  writeLatin1String: (request: object, text: string) => number
  /** Called when something was read into the socket's own memory, or when reading is over. */
  onread: ((this: Handle, bytes: ArrayBuffer | undefined) => unknown) | undefined
}

interface StreamBinding {
  WriteWrap: new () => object
  streamBaseState: Int32Array
  kLastWriteWasAsync: number
  kReadBytesOrError: number
}

// The stream above a socket costs as much as all the rest of a request: objects, callbacks, and a turn of process.nextTick for
// each. It is not part of what Node.js promises, so where it is not there as it is known, the stream is used.
const binding = streamBinding()
let request = binding === undefined ? {} : new binding.WriteWrap()

/**
 * Writes a text, each character a byte, to a socket on which nothing else is being written and that is used by nobody else. What
 * goes wrong later is seen by whoever reads.
 */
export function writeToSocket(socket: Duplex, text: string): void {
  const handle = handleOf(socket)
  if (binding === undefined || handle === null) {
    socket.write(text, 'latin1')
    return
  }
  const error = handle.writeLatin1String(request, text)
  // It belongs to this write until that is done, which is at once in most cases.
  if (binding.streamBaseState[binding.kLastWriteWasAsync] !== 0) request = new binding.WriteWrap()
  if (error !== 0) {
    const code = getSystemErrorName(error)
    socket.destroy(Object.assign(new Error(`write ${code}`), { code }))
  }
}

/**
 * Has an open socket, made with `onread` and memory of its own, tell `read` how many bytes came, without the stream in between, which
 * hears the rest: the end, and errors. Where that cannot be, its `onread` goes on hearing of bytes.
 */
export function readFromSocket(socket: Duplex, read: (length: number) => void): void {
  const handle = handleOf(socket)
  const tellStream = handle?.onread
  if (binding === undefined || handle === null || typeof tellStream !== 'function') return
  const { streamBaseState, kReadBytesOrError } = binding
  handle.onread = function onRead(bytes) {
    const length = streamBaseState[kReadBytesOrError] ?? 0
    if (length <= 0) return Reflect.apply(tellStream, this, [bytes])
    read(length)
    return undefined
  }
}

function handleOf(socket: Duplex): Handle | null {
  // @ts-expect-error -- it is in no type
  // oxlint-disable-next-line no-underscore-dangle -- so it is called
  return socket._handle
}

function streamBinding(): StreamBinding | undefined {
  try {
    // @ts-expect-error -- it is in no type
    const found: Partial<StreamBinding> = process.binding('stream_wrap')
    const { WriteWrap, streamBaseState, kLastWriteWasAsync, kReadBytesOrError } = found
    if (
      WriteWrap === undefined ||
      streamBaseState === undefined ||
      kLastWriteWasAsync === undefined ||
      kReadBytesOrError === undefined
    )
      return undefined
    return { WriteWrap, streamBaseState, kLastWriteWasAsync, kReadBytesOrError }
  } catch {
    return undefined
  }
}
