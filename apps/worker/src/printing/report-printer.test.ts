import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { NotPrinted } from '@flamegate/operations/ports'
import { launchBrowser } from '@flamegate/loadtest-engine'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openReportPrinter } from './report-printer.ts'

/** Pages of a site of our own, printed by a real browser. */

const publicUrl = 'https://flamegate.example'
let site: Server
let internalUrl: string
/** A server that no page may reach. */
let other: Server
let otherUrl: string
let asked: string[]
let pages: Map<string, string>

beforeAll(async () => {
  site = createServer(({ url = '' }, response) => {
    asked.push(url)
    const { pathname } = new URL(url, publicUrl)
    const page = pages.get(pathname)
    const type = pathname.endsWith('.css') ? 'text/css' : 'text/html'
    if (page === undefined) response.writeHead(404, { 'content-type': 'application/problem+json' })
    else response.writeHead(200, { 'content-type': type })
    response.end(page ?? JSON.stringify({ detail: 'This link has expired.' }))
  }).listen(0, '127.0.0.1')
  other = createServer(({ url }, response) => {
    asked.push(`other ${url}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await Promise.all([once(site, 'listening'), once(other, 'listening')])
  internalUrl = urlOf(site)
  otherUrl = urlOf(other)
})
beforeEach(() => {
  asked = []
  pages = new Map([['/style.css', 'h1 { color: rgb(200, 30, 30) }']])
})
afterAll(() => {
  site?.close()
  other?.close()
})

function urlOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const page = (body: string, script = '') => `<!doctype html><html><head><title>Checkout</title>
  <link rel="stylesheet" href="/style.css"></head><body><h1>Checkout</h1>${body}
  <script>${script};addEventListener('load', () => document.documentElement.dataset.ready = 'true')</script></body></html>`

function print(path: string, change: { format?: 'pdf' | 'html'; readyWithinMs?: number } = {}) {
  const { format = 'pdf', readyWithinMs } = change
  const items: string[] = []
  const controller = new AbortController()
  const printed = openReportPrinter({ publicUrl, internalUrl, readyWithinMs }).print({
    path,
    format,
    name: 'Checkout <b>',
    signal: controller.signal,
    onItem: () => items.push(''),
  })
  return { printed, items, cancel: () => controller.abort() }
}

const whole = page(
  `<a href="/reports/rep_1">The report</a> <a href="#below">Below</a> <canvas width="40" height="20"></canvas>
    <img src="OTHER/pixel.png"><h2 id="below">Below</h2>`,
  `document.querySelector('canvas').getContext('2d').fillRect(0, 0, 40, 20);
    fetch('/v1/shared/reports/shl_1/items/table/values')`,
)

test('a page becomes a PDF with links to where people find them, and nobody else is asked for anything', async () => {
  pages.set('/shared/reports/shl_1', whole.replace('OTHER', otherUrl))
  pages.set('/v1/shared/reports/shl_1/items/table/values', '{}')
  const { printed, items } = print('/shared/reports/shl_1?print=1#secret')
  const text = Buffer.from(await printed).toString('latin1')
  expect(text).toMatch(/^%PDF-/)
  expect(text).toContain('/URI (https://flamegate.example/reports/rep_1)')
  expect(text).toContain('/StructTreeRoot')
  expect(text).toContain('/Outlines')
  expect(text).not.toContain('secret')
  expect(items).toHaveLength(1)
  expect(asked.toSorted()).toEqual([
    '/shared/reports/shl_1?print=1',
    '/style.css',
    '/v1/shared/reports/shl_1/items/table/values',
  ])
})

test('a page becomes one HTML file that loads nothing and runs nothing', async () => {
  pages.set('/shared/reports/shl_1', whole.replace('OTHER', otherUrl))
  const html = Buffer.from(await print('/shared/reports/shl_1', { format: 'html' }).printed).toString()
  expect(html).not.toContain('<script')
  const browser = await launchBrowser()
  try {
    const opened = await browser.newPage()
    asked = []
    await opened.setContent(html)
    expect(await opened.locator('h1').evaluate(colourOf)).toBe('rgb(200, 30, 30)')
    expect(await opened.getByText('The report').getAttribute('href')).toBe(`${publicUrl}/reports/rep_1`)
    expect(await opened.getByText('Below').first().getAttribute('href')).toBe('#below')
    const picture = opened.locator('img[src^="data:"]')
    expect(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(40)
    expect(asked).toEqual([])
  } finally {
    await browser.close()
  }
})

function colourOf(element: object): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in the page
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle: (of: object) => { color: string }
  }
  return getComputedStyle(element).color
}

test.each([
  ['is not there', undefined, 'This link has expired.'],
  ['throws', page('', `throw new Error('no values')`), 'no values'],
  ['never says that it is drawn', '<!doctype html><h1>Waiting</h1>', 'was not drawn'],
])('a page that %s is refused in words', async (_words, body, reason) => {
  if (body !== undefined) pages.set('/shared/reports/shl_1', body)
  const { printed } = print('/shared/reports/shl_1', { readyWithinMs: 1000 })
  const error = await printed.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NotPrinted)
  expect(String(error)).toContain(reason)
})

test('a site that is away is said to be away', async () => {
  const away = openReportPrinter({ publicUrl, internalUrl: 'http://127.0.0.1:1' })
  const signal = new AbortController().signal
  const printed = away.print({ path: '/', format: 'pdf', name: '', signal, onItem: () => {} })
  await expect(printed).rejects.toThrow('could not be reached')
})

test('a print that is called off ends, and its browser with it', async () => {
  pages.set('/shared/reports/shl_1', '<!doctype html><h1>Waiting</h1>')
  const { printed, cancel } = print('/shared/reports/shl_1')
  await expect.poll(() => asked, { timeout: 20_000 }).toContain('/shared/reports/shl_1')
  cancel()
  await expect(printed).rejects.toThrow('aborted')
})
