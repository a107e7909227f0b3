import { type Order, products } from './shop-state.ts'

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<link rel="stylesheet" href="/static/shop.css">
</head>
<body>
<img src="/static/logo.png" alt="Shop" width="1" height="1">
<h1>${title}</h1>
${body}
</body>
</html>
`
}

export const homePage = page('Shop', '<a href="/login">Log in</a>')

export function loginPage(formToken: string): string {
  return page(
    'Log in',
    `<form method="post" action="/login">
<input type="hidden" name="csrf_token" value="${formToken}">
<label>User <input name="user"></label>
<label>Password <input name="password" type="password"></label>
<button>Log in</button>
</form>`,
  )
}

export const catalogPage = page(
  'Catalog',
  `<ul id="products"></ul>
<p id="live" aria-live="polite"></p>
<p id="order"></p>
<script src="/static/shop.js"></script>`,
)

export function orderPage({ id, quantity, productId, attachments }: Order, formToken: string): string {
  const product = products.find((each) => each.id === productId)
  const files = attachments
    .map(({ name, sizeBytes }) => `<li>${escaped(name)}: ${sizeBytes} bytes</li>`)
    .join('')
  return page(
    `Order ${id}`,
    `<p>${quantity} × ${product?.name}</p>
<ul id="attachments">${files}</ul>
<form method="post" action="/orders/${id}/attachments" enctype="multipart/form-data">
<input type="hidden" name="authenticity_token" value="${formToken}">
<label>File <input type="file" name="file"></label>
<button>Attach</button>
</form>`,
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** What the page of the catalog does: it gets a bearer token, lists products, orders, and listens for what becomes of the order. */
const script = `async function call(path, options = {}) {
  const headers = { authorization: 'Bearer ' + shop.token, ...options.headers }
  const answer = await fetch(path, { ...options, headers })
  if (!answer.ok) throw new Error(path + ' answered ' + answer.status)
  return answer
}
const shop = {}
const show = (id, text) => { document.getElementById(id).textContent = text }

async function start() {
  const session = await fetch('/api/session', { method: 'POST' })
  shop.token = (await session.json()).token
  const { items } = await (await call('/api/products')).json()
  for (const item of items) {
    const button = document.createElement('button')
    button.textContent = 'Order ' + item.name
    button.addEventListener('click', () => order(item.id))
    const row = document.createElement('li')
    row.append(item.name + ' ' + item.price + ' ', button)
    document.getElementById('products').append(row)
  }
}

async function order(productId) {
  const { nonce } = await (await call('/api/checkout')).json()
  const created = await call('/api/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-checkout-nonce': nonce },
    body: JSON.stringify({ product_id: productId, quantity: 2 }),
  })
  const { id } = await created.json()
  const { status } = await (await call('/api/orders/' + id)).json()
  const history = await (await call('/api/orders/' + id + '/history')).text()
  const link = document.createElement('a')
  link.href = '/orders/' + id
  link.textContent = 'Order ' + id
  document.getElementById('order').replaceChildren(link, ' ' + status + ', ' + history.trim().split('\\n').length + ' events')
  const { ticket } = await (await call('/api/live-tickets', { method: 'POST' })).json()
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/live?ticket=' + ticket)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'watch', order_id: id }))
  socket.onmessage = ({ data }) => {
    show('live', JSON.parse(data).status)
    socket.close()
  }
}

start()
`

/** Bytes of a picture of one pixel. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const staticFiles = new Map<string, { type: string; content: string | Buffer }>([
  ['/static/shop.css', { type: 'text/css', content: 'body { font-family: sans-serif }\n' }],
  ['/static/shop.js', { type: 'text/javascript; charset=utf-8', content: script }],
  ['/static/logo.png', { type: 'image/png', content: logo }],
])
