import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { readSource } from '@flamegate/operations/read-source'
import { isVerifiedAnswer, type FromThread, type ThreadStart, type ToThread } from './messages.ts'

// A thread that reads one source, asking for its content piece by piece. What is thrown here is a defect, and ends it.

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- started by the source reader only
const { format, options, recordingFile, answer } = workerData as ThreadStart
const asked = new Int32Array(answer)

function say(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message)
}

async function* content(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const told = parentPort && once(parentPort, 'message')
    say({ want: 'chunk' })
    // oxlint-disable-next-line no-await-in-loop, typescript/no-unsafe-type-assertion -- piece by piece
    const [{ chunk }] = ((await told) ?? []) as [ToThread]
    if (chunk === undefined) return
    yield chunk
  }
}

/** Importers do not wait for answers; so the thread sleeps until there is one. Hosts are asked about once. */
const verified = new Map<string, boolean>()
function isVerified(host: string): boolean {
  const known = verified.get(host)
  if (known !== undefined) return known
  Atomics.store(asked, 0, isVerifiedAnswer.none)
  say({ want: 'isVerified', host })
  Atomics.wait(asked, 0, isVerifiedAnswer.none)
  const is = Atomics.load(asked, 0) === isVerifiedAnswer.yes
  verified.set(host, is)
  return is
}

const file = openSync(recordingFile, 'wx', 0o600)
const md5 = createHash('md5')
let sizeBytes = 0
const done = await readSource(
  { format, options },
  {
    content: content(),
    write(bytes) {
      writeSync(file, bytes)
      md5.update(bytes)
      sizeBytes += bytes.length
    },
    isVerified,
  },
)
closeSync(file)
say({ done, recording: { sizeBytes, md5: md5.digest('base64') } })
parentPort?.close()
