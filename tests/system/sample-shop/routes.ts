import { catalogPage, homePage, loginPage, orderPage, staticFiles } from './pages.ts'
import type { FormPart } from './read-body.ts'
import { products, type ShopState } from './shop-state.ts'

/** A request as the routes see it. */
export interface Asked {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  cookies: ReadonlyMap<string, string>
  form: () => Map<string, FormPart>
  json: () => unknown
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sent as chunks, one after the other. */
  chunks?: string[]
  /** Compressed, where the client takes it. */
  gzip?: boolean
}

const html = (body: string, rest: Partial<Answer> = {}): Answer => ({
  body,
  ...rest,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...rest.headers },
})
const json = (value: unknown, rest: Partial<Answer> = {}): Answer => ({
  body: JSON.stringify(value),
  ...rest,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
})
const refused = (status: number, error: string): Answer => json({ error }, { status })
const redirect = (location: string, status = 302, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { location, 'cache-control': 'no-store', ...headers },
})
const cookie = (id: string) => ({ 'set-cookie': `shop_session=${id}; Path=/; HttpOnly; SameSite=Lax` })

/** Answers a request. */
export function answer(asked: Asked, state: ShopState): Answer {
  const { method, path } = asked
  const file = staticFiles.get(path)
  if (file !== undefined && method === 'GET')
    return { body: file.content, headers: { 'content-type': file.type, 'cache-control': 'max-age=3600' } }
  return path.startsWith('/api/') ? answerApi(asked, state) : answerPage(asked, state)
}

function answerPage(asked: Asked, state: ShopState): Answer {
  const { method, path, cookies } = asked
  const session = state.session(cookies.get('shop_session'))
  if (path === '/' && method === 'GET') return html(homePage)
  if (path === '/login' && method === 'GET') {
    const own = session ?? state.openSession()
    return html(loginPage(state.formToken(own)), session === undefined ? { headers: cookie(own.id) } : {})
  }
  if (path === '/login' && method === 'POST') {
    const form = asked.form()
    if (session === undefined || !state.takeFormToken(session, form.get('csrf_token')?.value))
      return html('<h1>The form has expired</h1>', { status: 403 })
    const opened = state.logIn(session, form.get('user')?.value ?? '', form.get('password')?.value ?? '')
    if (opened === undefined) return html('<h1>Wrong user or password</h1>', { status: 401 })
    return redirect('/welcome', 302, cookie(opened.id))
  }
  if (session?.user === undefined) return redirect('/login')
  if (path === '/welcome' && method === 'GET') return redirect('/catalog', 303)
  if (path === '/catalog' && method === 'GET') return html(catalogPage, { gzip: true })
  const [, orderId, action] = /^\/orders\/(\w+)(\/attachments)?$/.exec(path) ?? []
  const order = orderId === undefined ? undefined : state.order(session.user, orderId)
  if (order === undefined) return html('<h1>Not found</h1>', { status: 404 })
  if (action === undefined && method === 'GET') return html(orderPage(order, state.formToken(session)))
  if (action === undefined || method !== 'POST') return html('<h1>Not allowed</h1>', { status: 405 })
  const form = asked.form()
  if (!state.takeFormToken(session, form.get('authenticity_token')?.value))
    return html('<h1>The form has expired</h1>', { status: 403 })
  const attached = form.get('file')
  if (attached?.fileName === undefined) return html('<h1>No file</h1>', { status: 400 })
  order.attachments.push({ name: attached.fileName, sizeBytes: attached.sizeBytes })
  return redirect(`/orders/${order.id}`, 303)
}

function answerApi(asked: Asked, state: ShopState): Answer {
  const { method, path, headers } = asked
  if (path === '/api/session' && method === 'POST') {
    const user = state.session(asked.cookies.get('shop_session'))?.user
    return user === undefined ? refused(401, 'Log in first') : json({ user, token: state.bearer(user) })
  }
  if (path === '/api/tokens' && method === 'POST') {
    const user = state.userWith(asked.json())
    return user === undefined
      ? refused(401, 'Wrong user or password')
      : json({ token: state.bearer(user) }, { status: 201 })
  }
  const user = state.userOf(/^Bearer (.+)$/i.exec(String(headers['authorization']))?.[1])
  if (user === undefined) return refused(401, 'The token is not known')
  if (path === '/api/products' && method === 'GET') return json({ items: products }, { gzip: true })
  if (path === '/api/checkout' && method === 'GET')
    return json({
      nonce: state.nonce(),
      expires_in_ms: state.nonceMs,
      cursor: Math.random().toString(36).slice(2),
    })
  if (path === '/api/live-tickets' && method === 'POST')
    return json({ ticket: state.ticket(user) }, { status: 201 })
  if (path === '/api/orders' && method === 'POST') {
    if (!state.takeNonce(String(headers['x-checkout-nonce']))) return refused(409, 'The checkout has expired')
    const wanted = asked.json()
    if (!isOrder(wanted)) return refused(422, 'Send product_id and quantity')
    const { id, status } = state.createOrder(user, wanted.product_id, wanted.quantity)
    return json({ id, status }, { status: 201 })
  }
  const [, id, part] = /^\/api\/orders\/(\w+)(\/history|\/attachments)?$/.exec(path) ?? []
  const order = state.order(user, id ?? '')
  if (order === undefined || (method === 'POST') !== (part === '/attachments'))
    return refused(404, 'No such order')
  if (part === '/attachments') {
    const attached = asked.form().get('file')
    if (attached?.fileName === undefined) return refused(422, 'Send a file')
    const attachment = { name: attached.fileName, sizeBytes: attached.sizeBytes }
    order.attachments.push(attachment)
    return json(attachment, { status: 201 })
  }
  if (part === undefined) return json(order)
  const events = ['CREATED', 'PAID'].map((event) => `${JSON.stringify({ order_id: order.id, event })}\n`)
  return { chunks: events, headers: { 'content-type': 'application/x-ndjson' } }
}

function isOrder(value: unknown): value is { product_id: string; quantity: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'product_id' in value &&
    products.some(({ id }) => id === value.product_id) &&
    'quantity' in value &&
    typeof value.quantity === 'number'
  )
}
