import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../browser.ts'
import { recordShopHar } from './record-shop-har.ts'
import { type SampleShop, startSampleShop } from './start-sample-shop.ts'

let shop: SampleShop
beforeAll(async () => {
  shop = await startSampleShop()
})
afterAll(() => shop.stop())

/** A client that keeps its session cookie, as a browser does, but follows no redirect. */
function visitor(at = () => shop.url): Visitor {
  let cookie = ''
  return async (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (cookie !== '') headers.set('cookie', cookie)
    const answer = await fetch(`${at()}${path}`, { redirect: 'manual', ...init, headers })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return answer
  }
}
type Visitor = (path: string, init?: RequestInit) => Promise<Response>

/** A text that an answer of the API has under that name. */
async function given(answer: Response | Promise<Response>, name: string): Promise<string> {
  const body = z.record(z.string(), z.unknown()).parse(await (await answer).json())
  return z.string().parse(body[name])
}

async function formToken(visit: Visitor, path: string): Promise<string> {
  return (
    /name="(?:csrf|authenticity)_token" value="([^"]+)"/.exec(await (await visit(path)).text())?.[1] ?? ''
  )
}

async function logIn(visit: Visitor, user = 'ann'): Promise<Response> {
  const body = new URLSearchParams({
    csrf_token: await formToken(visit, '/login'),
    user,
    password: `${user}-password`,
  })
  return visit('/login', { method: 'POST', body })
}

/** A visitor who is logged in, and calls the API with their token. */
async function customer(user = 'ann', at?: () => string): Promise<{ visit: Visitor; api: Visitor }> {
  const visit = visitor(at)
  await logIn(visit, user)
  const token = await given(visit('/api/session', { method: 'POST' }), 'token')
  const api: Visitor = (path, init = {}) =>
    visit(path, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` },
    })
  return { visit, api }
}

async function order(api: Visitor, nonce?: string): Promise<Response> {
  const fresh = nonce ?? (await given(api('/api/checkout'), 'nonce'))
  return api('/api/orders', {
    method: 'POST',
    headers: { 'x-checkout-nonce': fresh },
    body: JSON.stringify({ product_id: 'p-101', quantity: 2 }),
  })
}

test('a login wants the token of its form, which is new each time and good once', async () => {
  const visit = visitor()
  const token = await formToken(visit, '/login')
  expect(await formToken(visit, '/login')).not.toBe(token)
  const body = () => new URLSearchParams({ csrf_token: token, user: 'ann', password: 'wrong' })
  expect((await visit('/login', { method: 'POST', body: body() })).status).toBe(401)
  expect((await visit('/login', { method: 'POST', body: body() })).status).toBe(403)
  expect((await visitor()('/login', { method: 'POST', body: body() })).status).toBe(403)
})

test('a login goes over two redirects to the catalog, with another session', async () => {
  const visit = visitor()
  expect((await visit('/catalog')).headers.get('location')).toBe('/login')
  const answer = await logIn(visit)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/welcome'])
  const welcome = await visit('/welcome')
  expect([welcome.status, welcome.headers.get('location')]).toEqual([303, '/catalog'])
  const catalog = await visit('/catalog')
  expect([catalog.status, catalog.headers.get('content-encoding')]).toEqual([200, 'gzip'])
})

test('the API wants the token of the session', async () => {
  const { api, visit } = await customer()
  expect((await visit('/api/products')).status).toBe(401)
  const products = await api('/api/products')
  expect([products.status, products.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect((await visitor()('/api/session', { method: 'POST' })).status).toBe(401)
})

test('an order is made with a nonce that is good once, and is nobody else’s', async () => {
  const { api } = await customer()
  const nonce = await given(api('/api/checkout'), 'nonce')
  const created = await order(api, nonce)
  expect(created.status).toBe(201)
  expect((await order(api, nonce)).status).toBe(409)
  const id = await given(created, 'id')
  expect(await (await api(`/api/orders/${id}`)).json()).toMatchObject({ id, quantity: 2, status: 'PAID' })
  const { api: bobs } = await customer('bob')
  expect((await bobs(`/api/orders/${id}`)).status).toBe(404)
})

test('a nonce ends', async () => {
  const hasty = await startSampleShop({ nonceMs: -1 })
  const { api } = await customer('ann', () => hasty.url)
  expect((await order(api)).status).toBe(409)
  await hasty.stop()
})

test('history comes in chunks', async () => {
  const { api } = await customer()
  const id = await given(order(api), 'id')
  const history = await api(`/api/orders/${id}/history`)
  expect(history.headers.get('transfer-encoding')).toBe('chunked')
  expect((await history.text()).trim().split('\n')).toHaveLength(2)
})

test('a file is attached with the token of the form', async () => {
  const { api, visit } = await customer()
  const id = await given(order(api), 'id')
  const upload = (token: string) => {
    const body = new FormData()
    body.set('authenticity_token', token)
    body.set('file', new Blob(['Paid\r\n\r\nin full']), 'receipt.txt')
    return visit(`/orders/${id}/attachments`, { method: 'POST', body })
  }
  expect((await upload('wrong')).status).toBe(403)
  expect((await upload(await formToken(visit, `/orders/${id}`))).status).toBe(303)
  expect(await (await visit(`/orders/${id}`)).text()).toContain('receipt.txt: 15 bytes')
})

test('the WebSocket wants a ticket, and tells of the order', async () => {
  const { api } = await customer()
  const id = await given(order(api), 'id')
  const ticket = await given(api('/api/live-tickets', { method: 'POST' }), 'ticket')
  const hear = (address: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(address)
      socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'watch', order_id: id })))
      socket.addEventListener('error', () => resolve('refused'))
      socket.addEventListener('message', ({ data }) => {
        socket.close()
        resolve(String(data))
      })
    })
  const live = `${shop.url.replace('http', 'ws')}/live?ticket=`
  expect(JSON.parse(await hear(live + ticket))).toEqual({ type: 'status', order_id: id, status: 'PAID' })
  expect(await hear(live + ticket)).toBe('refused')
})

test('what is not there is 404, and never an error of the server', async () => {
  const { visit } = await customer()
  expect((await visit('/nothing')).status).toBe(404)
  expect((await visit('/api/nothing')).status).toBe(401)
  expect(shop.requests.filter(({ status }) => status >= 500)).toEqual([])
})

test('a browser records all of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-shop-'))
  const browser = await launchBrowser()
  try {
    const path = join(folder, 'shop.har')
    await recordShopHar(browser, shop.url, path)
    const { log } = JSON.parse(await readFile(path, 'utf8'))
    const seen = log.entries.map(
      ({ request, response }: { request: { method: string; url: string }; response: { status: number } }) =>
        `${request.method} ${new URL(request.url).pathname.replace(/ord_\w+/, '…')} ${response.status}`,
    )
    expect(seen).toEqual(
      expect.arrayContaining([
        'GET /login 200',
        'POST /login 302',
        'GET /welcome 303',
        'GET /catalog 200',
        'POST /api/session 200',
        'POST /api/orders 201',
        'GET /api/orders/… 200',
        'POST /orders/…/attachments 303',
        'GET /live 101',
      ]),
    )
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
})
