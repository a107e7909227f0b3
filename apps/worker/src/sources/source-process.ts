import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { readSource } from '@flamegate/operations/read-source'
import { answers, askDescriptor, type ProcessDone, type ProcessStart } from './messages.ts'

// A process that reads one source. What is thrown here is a defect, and ends it.

// Nobody is there any more who would end it.
process.once('disconnect', () => process.exit(1))

const [start]: ProcessStart[] = await once(process, 'message')
if (start === undefined) throw new TypeError('What to read comes first.')
const { format, options, recordingFile } = start

/** Importers do not wait for answers; so all sleeps until there is one. Hosts are asked about once. */
const verified = new Map<string, boolean>()
const answer = Buffer.alloc(1)
function isVerified(host: string): boolean {
  const known = verified.get(host)
  if (known !== undefined) return known
  writeSync(askDescriptor, `${host}\n`)
  if (readSync(askDescriptor, answer) === 0) process.exit(1)
  const is = answer.toString() === answers.yes
  verified.set(host, is)
  return is
}

/** The recording with its checksum, while it is written. */
class WrittenFile {
  readonly #file: number
  readonly #md5 = createHash('md5')
  #sizeBytes = 0

  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600)
  }

  write(bytes: Uint8Array): void {
    writeSync(this.#file, bytes)
    this.#md5.update(bytes)
    this.#sizeBytes += bytes.length
  }

  close(): { sizeBytes: number; md5: string } {
    closeSync(this.#file)
    return { sizeBytes: this.#sizeBytes, md5: this.#md5.digest('base64') }
  }
}

let written = new WrittenFile(recordingFile)
const before = `${recordingFile}-before`
const done = await readSource(
  { format, options },
  {
    content: process.stdin,
    recording: {
      write: (bytes) => written.write(bytes),
      startAnew() {
        written.close()
        renameSync(recordingFile, before)
        written = new WrittenFile(recordingFile)
        return createReadStream(before)
      },
    },
    isVerified,
  },
)
rmSync(before, { force: true })
const message: ProcessDone = { done, recording: written.close() }
// Also where content is left that nobody reads.
process.send?.(message, undefined, undefined, () => process.exit(0))
