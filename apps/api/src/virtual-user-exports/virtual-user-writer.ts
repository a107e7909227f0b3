import { Problem } from '@flamegate/contract'
import type { VirtualUserWriter, WrittenExport } from '@flamegate/operations/ports'
import { AskedThread, ThreadLimitError, type ThreadOptions } from '../threads/asked-thread.ts'
import { withOwnBuffer } from '../threads/own-buffer.ts'
import { Turns } from '../threads/turns.ts'

const mostAtOnce = 20

/** Writes virtual users as files beside the event loop, one after the other. */
export function openVirtualUserWriter(options: Partial<ThreadOptions> = {}): VirtualUserWriter {
  const { threadFile = new URL('virtual-user-thread.ts', import.meta.url), timeoutMs } = options
  const thread = new AskedThread({ threadFile, timeoutMs })
  const turns = new Turns(
    mostAtOnce,
    () =>
      new Problem('unavailable', 'Many virtual users are being exported. Try again in 10 seconds.', {
        retryAfterSeconds: 10,
      }),
  )
  return {
    write: (format, archive) =>
      turns.take(async () => {
        const files = archive.files.map((file) => ({ ...file, bytes: withOwnBuffer(file.bytes) }))
        const given = new Set(files.map(({ bytes }) => bytes.buffer))
        try {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `virtual-user-thread.ts` sends
          return (await thread.ask([format, { ...archive, files }], [...given])) as WrittenExport
        } catch (error) {
          if (!(error instanceof ThreadLimitError)) throw error
          throw new Problem('too_large', `The virtual user cannot be exported. ${error.message}`, {
            cause: error,
          })
        }
      }),
  }
}
