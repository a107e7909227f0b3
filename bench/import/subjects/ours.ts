// Our import: `ours.ts <file> [recording]`, with the recording written to a file where one is named.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import {
  defaultImportOptions,
  type Exchange,
  importHar,
  RecordingWriter,
} from '../../../packages/loadtest/src/index.ts'
import { reportFigures } from './figures.ts'

const [file = '', recording] = process.argv.slice(2)

await reportFigures(async () => {
  const target = recording === undefined ? undefined : await open(recording, 'w')
  const writer = new RecordingWriter(async (bytes) => void (await target?.write(bytes)))
  const answer = { entries: 0, bodyCharacters: 0 }
  let ids = 0
  await importHar(createReadStream(file, { highWaterMark: 2 ** 20 }), defaultImportOptions, {
    newId: (kind) => `${kind}_${++ids}`,
    hide: () => undefined,
    isVerified: () => true,
    keep(exchange: Exchange) {
      answer.bodyCharacters += exchange.response?.body?.content?.length ?? 0
      answer.entries++
      return target === undefined ? Promise.resolve(answer.entries - 1) : writer.keep(exchange)
    },
  })
  await target?.close()
  return answer
})
