// `make-har.ts <target> <megabytes> <seed>`: a recording as a browser with bodies would make it. The same seed, the same bytes.
import { closeSync, openSync, writeSync } from 'node:fs'
import { seededRandom } from '../compare/make-results.ts'

const [target = '', megabytes = '', seed = ''] = process.argv.slice(2)
const random = seededRandom(Number(seed))
const beganMs = Date.UTC(2026, 0, 1)
const words =
  'the order of a customer is shown with its price, name and "state" <div class="row">\n\t</div> function(){return x[0]} Größe {"id":1}'.split(
    ' ',
  )

const file = openSync(target, 'w')
let written = 0
const write = (text: string): void => void (written += writeSync(file, text))

write('{"log":{"version":"1.2","creator":{"name":"make-har","version":"1"},"pages":[],"entries":[')
let nowMs = beganMs
for (let page = 0; written < Number(megabytes) * 1e6; page++) {
  nowMs += 3000 + 5000 * random()
  writeEntry(page, `/page/${page}?tab=1`, 'text/html; charset=utf-8', prose(60_000 + 100_000 * random()))
  for (let index = 0; index < 3; index++)
    writeEntry(page, `/static/${index}.js`, 'text/javascript', prose(200_000))
  for (let index = 0; index < 2; index++) writeEntry(page, `/static/${index}.css`, 'text/css', prose(50_000))
  for (let index = 0; index < 10; index++)
    writeEntry(page, `/img/${page}-${index}.png`, 'image/png', pixels(30_000), 'base64')
  for (let index = 0; index < 5; index++) {
    const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: prose(40), price: random() }))
    writeEntry(page, `/api/orders?page=${index}`, 'application/json', JSON.stringify(rows))
  }
}
write(']}}')
closeSync(file)

function writeEntry(page: number, path: string, mimeType: string, text: string, encoding?: string): void {
  nowMs += 20 * random()
  const url = `https://shop.example.com${path}`
  const headers = Array.from({ length: 12 }, (_, index) => ({
    name: `x-header-${index}`,
    value: `value ${index}`,
  }))
  const entry = {
    pageref: `page_${page}`,
    startedDateTime: new Date(nowMs).toISOString(),
    time: 50 * random(),
    request: {
      method: 'GET',
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [...headers, { name: 'Referer', value: `https://shop.example.com/page/${page}?tab=1` }],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers,
      content: { size: text.length, mimeType, text, ...(encoding === undefined ? {} : { encoding }) },
      redirectURL: '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 20, receive: 5 },
  }
  write(`${page === 0 && path.startsWith('/page') ? '' : ','}${JSON.stringify(entry)}`)
}

function prose(length: number): string {
  const parts: string[] = []
  for (let characters = 0; characters < length; characters += parts.at(-1)!.length + 1)
    parts.push(words[Math.floor(random() * words.length)]!)
  return parts.join(' ')
}

function pixels(length: number): string {
  return Buffer.from(Uint8Array.from({ length }, () => random() * 256)).toString('base64')
}
