import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { jtlHeading, jtlLine } from '@flamegate/loadtest/request-log'
import type { RowsFile } from './rows-file.ts'

/** A JTL of JMeter as gzip. */
export function jtlFile(path: string): RowsFile {
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(path))
  // Whoever writes hears of it, too.
  written.catch(() => {})
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      gzip.write(text, (error) => (error ? reject(error) : resolve()))
    })
  const begun = write(jtlHeading)
  return {
    async add(rows) {
      await begun
      await write(rows.map(([row, named]) => jtlLine(row, named)).join(''))
    },
    async end() {
      gzip.end()
      await written
    },
  }
}
