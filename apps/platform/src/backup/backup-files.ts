import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ConfigError } from '@flamegate/runtime'
import { z } from 'zod'

/**
 * A backup is a folder, which any tool can pack, encrypt and carry away:
 *
 *     manifest.json                what there is, and sums of it; written last, so that a folder without it is no backup
 *     database/<table>.copy.gz     the rows of each table in the text format of COPY
 *     objects.jsonl                one line for each stored file: key, size, hashes
 *     objects/<key>                the files
 *     demo.json                    the demo's log-in, of `npm start`
 *     master-keys                  the master keys of a data directory, unless they are to be left out
 *
 * It holds the keys that sign tokens, and everybody's data: keep it as secret as the database.
 */
const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int(),
      /** See `RowDigest`. */
      digest: z.string(),
    }),
  ),
  /** Names of the master keys without which its keys do not open. Older backups need none. */
  masterKeys: z.array(z.string()).optional(),
  objects: z.object({
    count: z.number().int(),
    sizeBytes: z.number().int(),
    /** Of files that were announced, and whose bytes had not come. */
    missing: z.number().int(),
    /** Of files that the database has as stored, and the storage has not. Older backups do not say. */
    lost: z.number().int().optional(),
    /** SHA-256 of objects.jsonl, hex. */
    sha256: z.string(),
  }),
})
export type Manifest = z.output<typeof manifestSchema>

const objectSchema = z.object({
  key: z.string(),
  sizeBytes: z.number().int(),
  /** Hex. */
  sha256: z.string(),
  /** Base64, as storing it asks for. */
  md5: z.string(),
})
export type ObjectEntry = z.output<typeof objectSchema>

/** Enough for text, and several times as quick as what gzip does by itself. */
const gzipLevel = 1

export class BackupFolder {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  tablePath(table: string): string {
    return join(this.dir, 'database', `${table}.copy.gz`)
  }

  objectPath(key: string): string {
    return join(this.dir, 'objects', key)
  }

  get objectListPath(): string {
    return join(this.dir, 'objects.jsonl')
  }

  get demoPath(): string {
    return join(this.dir, 'demo.json')
  }

  get masterKeysPath(): string {
    return join(this.dir, 'master-keys')
  }

  async create(): Promise<void> {
    await mkdir(dirname(this.dir), { recursive: true })
    await mkdir(this.dir, { mode: 0o700 }).catch((error: unknown) => {
      throw new ConfigError(
        `${this.dir} cannot be made: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
    await mkdir(join(this.dir, 'database'))
  }

  async writeTable(table: string, rows: AsyncIterable<Buffer>): Promise<void> {
    const file = createWriteStream(this.tablePath(table), { mode: 0o600, flush: true })
    await pipeline(rows, createGzip({ level: gzipLevel }), file)
  }

  async *tableRows(table: string): AsyncGenerator<Buffer> {
    const unpacked = createGunzip()
    const reading = pipeline(createReadStream(this.tablePath(table)), unpacked)
    // Its failure is told by whoever reads the stream, too.
    reading.catch(() => undefined)
    for await (const piece of unpacked) if (Buffer.isBuffer(piece)) yield piece
    await reading
  }

  async *objects(): AsyncGenerator<ObjectEntry> {
    const lines = createInterface({ input: createReadStream(this.objectListPath), crlfDelay: Infinity })
    for await (const line of lines) if (line !== '') yield objectSchema.parse(JSON.parse(line))
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    const draft = join(this.dir, 'manifest.json.new')
    await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    const file = await open(draft, 'r+')
    await file.sync()
    await file.close()
    await rename(draft, join(this.dir, 'manifest.json'))
  }

  /** @throws ConfigError when this is no backup, or not one that is known here */
  async readManifest(): Promise<Manifest> {
    const text = await readFile(join(this.dir, 'manifest.json'), 'utf8').catch(() => undefined)
    if (text === undefined) {
      throw new ConfigError(
        `${this.dir} is no backup: it has no manifest.json, which is written when all else is there.`,
      )
    }
    const json = jsonOrUndefined(text)
    if (json === undefined) {
      throw new ConfigError(`${this.dir}/manifest.json is damaged: it is not JSON. Take another backup.`)
    }
    const parsed = manifestSchema.safeParse(json)
    if (!parsed.success) {
      throw new ConfigError(
        `${this.dir}/manifest.json is not one that this version knows: ${z.prettifyError(parsed.error)}`,
      )
    }
    return parsed.data
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
