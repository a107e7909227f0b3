import { zipSync } from 'fflate'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  defaultImportOptions,
  type ImportContext,
  type ImportOptions,
  SourceError,
} from '../import/importer.ts'
import { countOutcomes } from '../import/report.ts'
import { correlationRule } from '../model/correlation-rule.ts'
import { httpServer } from '../model/http-server.ts'
import { variable } from '../model/variable.ts'
import { virtualUser } from '../model/virtual-user.ts'
import { arbitraryVirtualUser } from '../testing/arbitrary-virtual-user.ts'
import type { Archive } from './archive.ts'
import { importArchive } from './import-archive.ts'
import { readArchive } from './read-archive.ts'
import { renameServers } from './rename-servers.ts'
import { writeArchive } from './write-archive.ts'

const request = (id: string, server: string) => ({
  type: 'http_request',
  id,
  method: 'GET',
  server_id: server,
  path: '/',
})

const buyer = virtualUser.parse({
  name: 'Buyer',
  recording_id: 'rec_1',
  actions: [
    request('a', 'srv_1'),
    {
      type: 'once',
      id: 'b',
      actions: [
        { ...request('c', 'srv_2'), resources: { list: [{ id: 'd', server_id: 'srv_1', path: '/x.css' }] } },
        { type: 'websocket', operation: 'connect', id: 'e', server_id: 'srv_2', path: '/live' },
      ],
    },
  ],
})

const archive: Archive = {
  virtualUsers: [{ id: 'vu_1', document: buyer }],
  servers: [
    { id: 'srv_1', document: httpServer.parse({ name: 'shop', base_url: 'https://shop.example.com' }) },
    { id: 'srv_2', document: httpServer.parse({ name: 'live', base_url: 'https://${host}' }) },
  ],
  variables: [
    { id: 'var_1', document: variable.parse({ type: 'secret', name: 'token' }) },
    { id: 'var_2', document: variable.parse({ type: 'csv', name: 'users', path: 'data/users.csv' }) },
  ],
  rules: [
    {
      id: 'rul_1',
      document: correlationRule.parse({
        name: 'csrf',
        source: { type: 'header', name: 'x-csrf' },
        variable: 'csrf',
      }),
    },
  ],
  files: [{ path: 'data/users.csv', contentType: 'text/csv', bytes: Buffer.from('user\nada\n') }],
}

/** Ids that are counted. */
function context(): ImportContext {
  let count = 0
  return {
    newId: (kind) => `new_${kind}_${++count}`,
    keep: () => Promise.reject(new Error('There is no recording in it')),
    hide: () => undefined,
    isVerified: () => false,
  }
}

async function* piecesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
}

const importBytes = (bytes: Uint8Array, options: Partial<ImportOptions> = {}) =>
  importArchive(piecesOf(bytes), { ...defaultImportOptions, ...options }, context())

const manifest = Buffer.from(JSON.stringify({ format: 'flamegate-archive', version: 1, files: [] }))
const zip = (entries: Record<string, string>) =>
  zipSync({
    'manifest.json': manifest,
    ...Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)])),
  })

describe('an archive', () => {
  test('is read as it was written', async () => {
    const { strangers, ...read } = await readArchive(writeArchive(archive))
    expect(strangers).toEqual([])
    expect({
      ...read,
      files: read.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes) })),
    }).toEqual(archive)
  })

  test('is imported under new ids, and nothing else changes but what never leaves', async () => {
    const imported = await importBytes(writeArchive(archive))
    const [first, second] = imported.servers
    const newIds = new Map([
      ['srv_1', first?.id ?? ''],
      ['srv_2', second?.id ?? ''],
    ])
    expect(imported.virtualUsers).toEqual([
      {
        id: expect.stringMatching(/^new_virtualUser_/),
        document: { ...renameServers(buyer, newIds), recording_id: null },
      },
    ])
    expect(JSON.stringify(imported.virtualUsers)).not.toContain('"srv_')
    expect(imported.servers.map(({ document }) => document)).toEqual(
      archive.servers.map(({ document }) => document),
    )
    expect(imported.variables.map(({ document }) => document)).toEqual(
      archive.variables.map(({ document }) => document),
    )
    expect(imported.rules.map(({ document }) => document)).toEqual(
      archive.rules.map(({ document }) => document),
    )
    expect(imported.files).toMatchObject([{ path: 'data/users.csv', contentType: 'text/csv' }])
    expect(countOutcomes(imported.report)).toEqual({ read: 7, mapped: 5, approximated: 2, dropped: 0 })
    expect(imported.report.notes).toEqual([expect.stringContaining('shop.example.com')])
  })

  test('of any virtual user gives it back', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryVirtualUser, async (document) => {
        const bytes = writeArchive({ ...archive, virtualUsers: [{ id: 'vu_1', document }], servers: [] })
        const { virtualUsers } = await importBytes(bytes)
        expect(virtualUsers.map((each) => each.document)).toEqual([document])
      }),
      { numRuns: 50 },
    )
  })

  test('gets the name that was asked for, and tells of entries that it does not know', async () => {
    const bytes = zip({
      'virtual-users/vu_1.json': JSON.stringify({ name: 'Buyer', actions: [] }),
      'notes.txt': 'hello',
      '__MACOSX/._x': '',
    })
    const { virtualUsers, report } = await importBytes(bytes, { name: 'Other' })
    expect(virtualUsers.map(({ document }) => document.name)).toEqual(['Other'])
    expect(countOutcomes(report)).toEqual({ read: 3, mapped: 1, approximated: 0, dropped: 2 })
  })
})

/** A name in a ZIP file, in both places where it is, written over; as long as it was. */
function renamed(bytes: Uint8Array, name: string, other: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(name, other), 'latin1')
}

/** The same with another size of its files when unpacked, in the central directory (APPNOTE.TXT 4.3.12). */
function saying(sizeBytes: number, zipped: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zipped)
  const head = Buffer.from('PK\x01\x02')
  for (let at = bytes.indexOf(head); at !== -1; at = bytes.indexOf(head, at + 1))
    if (bytes.toString('latin1', at + 46).startsWith('files/')) bytes.writeUInt32LE(sizeBytes, at + 24)
  return bytes
}

describe('is refused, with the place:', () => {
  const file = zip({ 'files/aaaa.txt': 'x', 'files/bbbb.txt': 'y' })

  test.each<[string, Uint8Array, RegExp]>([
    ['what is no ZIP file', Buffer.from('PK no'), /cannot be read as a ZIP file/],
    ['nothing', new Uint8Array(), /cannot be read as a ZIP file/],
    ['a ZIP file that is cut off', file.subarray(0, file.length - 30), /cannot be read as a ZIP file/],
    ['another ZIP file', zipSync({ 'a.txt': Buffer.from('a') }), /no manifest\.json/],
    ['a path that leads out', renamed(file, 'files/aaaa.txt', 'files/../a.txt'), /invalid relative path/],
    ['an absolute path', renamed(file, 'files/aaaa.txt', '/iles/aaaa.txt'), /absolute path/],
    ['a path with backslashes', renamed(file, 'files/aaaa.txt', 'files\\aaaa.txt'), /invalid characters/],
    [
      'a name that comes twice',
      renamed(file, 'files/aaaa.txt', 'files/bbbb.txt'),
      /^files\/bbbb\.txt: There are two/,
    ],
    ['no JSON', zip({ 'variables/var_1.json': '{' }), /^variables\/var_1\.json: It is no JSON/],
    ['no valid document', zip({ 'variables/var_1.json': '{}' }), /^variables\/var_1\.json: /],
    [
      'JSON without end',
      zip({ 'virtual-users/a.json': '['.repeat(100_000) + ']'.repeat(100_000) }),
      /^virtual-users\/a\.json: .* nested more than/,
    ],
    [
      'a document that is larger than documents are',
      zip({ 'virtual-users/a.json': ' '.repeat(50_000_001) }),
      /^virtual-users\/a\.json: It unpacks to more/,
    ],
    [
      'a document of more values than can be held',
      zip({ 'virtual-users/a.json': '[],'.repeat(2_000_000) }),
      /^virtual-users\/a\.json: It holds more than/,
    ],
    [
      'a later version',
      zipSync({ 'manifest.json': Buffer.from('{"format":"flamegate-archive","version":2,"files":[]}') }),
      /later version/,
    ],
    [
      'more entries than are read',
      zip(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`files/${index}`, '']))),
      /10001 entries/,
    ],
  ])('%s', async (_what, bytes, reason) => {
    const failure: unknown = await importBytes(bytes).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SourceError)
    expect(String(Reflect.get(Object(failure), 'message'))).toMatch(reason)
  })

  test('damaged content', async () => {
    const bytes = Buffer.from(
      zipSync({ 'manifest.json': manifest, 'files/a': Buffer.from('content') }, { level: 0 }),
    )
    bytes[bytes.indexOf('content')]! ^= 1
    await expect(importBytes(bytes)).rejects.toThrow('files/a: Its checksum is wrong')
  })

  test('a bomb, before it is unpacked', async () => {
    const bytes = saying(150_000_000, zip({ 'files/a': 'a', 'files/b': 'b', 'files/c': 'c' }))
    await expect(importBytes(bytes)).rejects.toThrow('files/c: It unpacks to more')
  })

  test('a bomb that lies about its size', async () => {
    const bytes = saying(10, zipSync({ 'files/a': new Uint8Array(1_000_000) }))
    await expect(importBytes(bytes)).rejects.toThrow(
      /^files\/a: It cannot be read as a ZIP file: too many bytes/,
    )
  })

  test('any bytes, or they are imported', async () => {
    const whole = writeArchive(archive)
    const damaged = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 })
      .map((changes) => {
        const bytes = Uint8Array.from(whole)
        for (const [place, value] of changes) bytes[place] = value
        return bytes
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), async (bytes) => {
        const failure: unknown = await importBytes(bytes).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(failure === undefined || failure instanceof SourceError).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
