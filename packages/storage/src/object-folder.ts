import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import type { ReadStream } from 'node:fs'
import { access, link, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ListedObject, StoredObject } from '@flamegate/operations/ports'
import { checkObjectKey, isObjectKey } from './object-key.ts'

/** Each piece that is read is a trip to another thread: those of 64 kB, as usual, cost a large profile a tenth of its time. */
const pieceBytes = 2 ** 20

/** More or fewer bytes came than were announced. */
export class WrongSize extends Error {
  override name = 'WrongSize'
  readonly isTooLarge: boolean

  constructor(isTooLarge: boolean) {
    super(isTooLarge ? 'More bytes came than announced.' : 'Fewer bytes came than announced.')
    this.isTooLarge = isTooLarge
  }
}

/** There is an object under this key already. */
export class AlreadyStored extends Error {
  override name = 'AlreadyStored'
}

/**
 * Objects as files:
 *
 *     objects/<workspaceId>/<fileId>          the bytes
 *     objects/<workspaceId>/<fileId>.sha256   their hash, hex
 *     incoming/<uuid>                         half-written ones; nobody looks there
 */
export interface ObjectFolder {
  /** Streams an object in, exactly `sizeBytes` long. @throws WrongSize | AlreadyStored */
  receive(key: string, body: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<StoredObject>
  /** Stores or replaces. */
  put(key: string, bytes: Uint8Array): Promise<StoredObject>
  find(key: string): Promise<StoredObject | undefined>
  /** The bytes as a stream, and how many; undefined when there is no such key. */
  openObject(key: string): Promise<{ body: ReadStream; sizeBytes: number } | undefined>
  remove(key: string): Promise<void>
  list(): AsyncIterable<ListedObject>
}

export async function openObjectFolder(dir: string): Promise<ObjectFolder> {
  const incoming = join(dir, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await access(incoming, constants.W_OK)
  await removeLeftovers(incoming)

  const pathOf = (key: string) => {
    checkObjectKey(key)
    return join(dir, 'objects', key)
  }

  /** Writes to a new file in `incoming`, down to the disk, and hands it over; it is gone afterwards. */
  const written = async (
    write: (path: string) => Promise<StoredObject>,
    place: (path: string) => Promise<void>,
    finalPath: string,
  ) => {
    const path = join(incoming, randomUUID())
    try {
      const stored = await write(path)
      await mkdir(dirname(finalPath), { recursive: true, mode: 0o700 })
      await place(path)
      await writeFile(`${path}.sha256`, stored.sha256 ?? '')
      await rename(`${path}.sha256`, `${finalPath}.sha256`)
      return stored
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    async receive(key, body, sizeBytes) {
      const finalPath = pathOf(key)
      return written(
        (path) => writeExactly(path, body, sizeBytes),
        // `link` refuses when the name exists, `rename` would replace it: of two uploads at once the first wins.
        (path) =>
          link(path, finalPath).catch((error: unknown) => rethrow(error, 'EEXIST', new AlreadyStored())),
        finalPath,
      )
    },
    async put(key, bytes) {
      const finalPath = pathOf(key)
      return written(
        (path) => writeExactly(path, [bytes], bytes.byteLength),
        (path) => rename(path, finalPath),
        finalPath,
      )
    },
    async find(key) {
      const path = pathOf(key)
      const found = await stat(path).catch((error: unknown) => rethrow(error, 'ENOENT'))
      if (!found) return undefined
      const sha256 = await readFile(`${path}.sha256`, 'utf8').catch((error: unknown) =>
        rethrow(error, 'ENOENT'),
      )
      return { sizeBytes: found.size, sha256 }
    },
    async openObject(key) {
      const path = pathOf(key)
      const found = await stat(path).catch((error: unknown) => rethrow(error, 'ENOENT'))
      return found && { body: createReadStream(path, { highWaterMark: pieceBytes }), sizeBytes: found.size }
    },
    async remove(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      await rm(`${path}.sha256`, { force: true })
    },
    async *list() {
      for (const workspace of await entriesOf(join(dir, 'objects'))) {
        for (const file of await entriesOf(join(dir, 'objects', workspace))) {
          const key = `${workspace}/${file}`
          // The hashes are beside them.
          if (!isObjectKey(key)) continue
          const found = await stat(pathOf(key)).catch((error: unknown) => rethrow(error, 'ENOENT'))
          if (found) yield { key, sizeBytes: found.size, storedAt: found.mtime }
        }
      }
    },
  }
}

/** The names in a folder; none where there is no folder. */
async function entriesOf(path: string): Promise<string[]> {
  return (await readdir(path).catch((error: unknown) => rethrow(error, 'ENOENT'))) ?? []
}

async function writeExactly(
  path: string,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sizeBytes: number,
): Promise<StoredObject> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    let received = 0
    for await (const chunk of body) {
      received += chunk.byteLength
      if (received > sizeBytes) throw new WrongSize(true)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    if (received < sizeBytes) throw new WrongSize(false)
    await file.sync()
    return { sizeBytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** Uploads that a crash cut off. No upload takes an hour: links do not live that long. */
async function removeLeftovers(incoming: string): Promise<void> {
  const hourAgo = Date.now() - 3_600_000
  const names = await readdir(incoming)
  await Promise.all(
    names.map(async (name) => {
      const path = join(incoming, name)
      const found = await stat(path).catch(() => undefined)
      if (found && found.mtimeMs < hourAgo) await rm(path, { force: true })
    }),
  )
}

/** Turns one kind of file system error into another error, or into nothing; lets the rest pass. */
function rethrow(error: unknown, code: string, instead?: Error): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
  if (instead) throw instead
  return undefined
}
