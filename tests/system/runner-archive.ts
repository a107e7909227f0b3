import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

const block = 512

/**
 * A tar archive as CodSpeed's runner makes it of its profile folder, `append_dir_all(".", folder)`: GNU headers, folders
 * before what is in them, every name below `./`.
 */
export async function archiveOf(folder: string): Promise<Buffer> {
  return Buffer.concat([...(await entriesOf(folder, folder)), Buffer.alloc(2 * block)])
}

async function entriesOf(root: string, folder: string): Promise<Buffer[]> {
  const entries = [header(`./${relative(root, folder)}`, 0, '5')]
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) entries.push(...(await entriesOf(root, path)))
    else {
      const bytes = await readFile(path)
      const padding = Buffer.alloc((block - (bytes.length % block)) % block)
      entries.push(header(`./${relative(root, path)}`, bytes.length, '0'), bytes, padding)
    }
  }
  return entries
}

/** https://www.gnu.org/software/tar/manual/html_node/Standard.html */
function header(name: string, sizeBytes: number, type: '0' | '5'): Buffer {
  const bytes = Buffer.alloc(block)
  bytes.write(name, 0)
  bytes.write(octal(0o644, 8), 100)
  bytes.write(octal(1000, 8), 108)
  bytes.write(octal(1000, 8), 116)
  bytes.write(octal(sizeBytes, 12), 124)
  bytes.write(octal(1_763_640_000, 12), 136)
  // The sum is made as if it were blanks itself.
  bytes.write(' '.repeat(8), 148)
  bytes.write(type, 156)
  bytes.write('ustar  \0', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${octal(sum, 7)}\0 `, 148)
  return bytes
}

/** A number in a field of that length, which has an end. */
function octal(value: number, length: number): string {
  return value.toString(8).padStart(length - 1, '0')
}
