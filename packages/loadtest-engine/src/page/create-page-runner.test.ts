import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { httpServer, pageStep, type ActionOf } from '@flamegate/loadtest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PageUser, TargetRefused } from '../ports.ts'
import { createPageRunner } from './create-page-runner.ts'

const pages: Record<string, string> = {
  '/': `<title>Shop</title><h1>Welcome</h1>
    <label>Name <input id="name"></label><button onclick="greet()">Greet</button><p id="out" data-state="old">nobody</p>
    <select aria-label="Size"><option value="s">Small<option value="l">Large</select>
    <input type="checkbox" aria-label="Agree"><input type="file" aria-label="Picture"><p id="size"></p>
    <script>function greet() { setTimeout(() => { out.textContent = 'Hello ' + document.getElementById('name').value; out.dataset.state = 'new' }, 150) }
      document.querySelector('[type=file]').onchange = (e) => { size.textContent = e.target.files[0].name + ' ' + e.target.files[0].size }</script>`,
  '/away':
    '<script>fetch("http://elsewhere.test/secret").then(r => r.text()).then(t => document.title = t, () => document.title = "blocked")</script>',
  '/hop': '',
  '/frames': `<button onclick="window.open('/popup')">Open</button><div id="box"><iframe src="/inner"></iframe></div>`,
  '/inner': '<ul><li>first</li><li>second <input></li></ul>',
  '/popup': '<title>Popup</title>',
  '/remember': `<script>document.title = document.cookie + '|' + (localStorage.seen ?? '');
    document.cookie = 'visited=yes'; localStorage.seen = 'yes'</script>`,
  '/socket':
    '<script>new WebSocket("ws://elsewhere.test/").onerror = () => document.title = "blocked"</script>',
}

/** Asks a name server of the peer-to-peer protocols for its own address, over UDP and over TCP. */
const peerPage = ({ udp, tcp }: { udp: string; tcp: string }) => `<script>
  const peer = new RTCPeerConnection({ iceServers: [
    { urls: 'stun:127.0.0.1:${udp}' },
    { urls: 'turn:127.0.0.1:${tcp}?transport=tcp', username: 'a', credential: 'b' },
  ] })
  peer.createDataChannel('x')
  peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') document.title = 'done' }
  peer.createOffer().then((offer) => peer.setLocalDescription(offer))
</script>`

let url = ''
const seen: { path: string; header: string | undefined }[] = []
const server = createServer((request, response) => {
  if (request.url?.startsWith('/peer') === true) {
    const ports = new URL(request.url, 'http://shop.test').searchParams
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(peerPage({ udp: ports.get('udp') ?? '', tcp: ports.get('tcp') ?? '' }))
    return
  }
  seen.push({ path: request.url ?? '', header: request.headers['x-tenant']?.toString() })
  if (request.url === '/hop') {
    response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    return
  }
  const page = pages[request.url ?? '']
  response
    .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' })
    .end(page ?? 'nothing here')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  url = `http://shop.test:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

type Step = { type: string } & Record<string, unknown>

function user(): PageUser & { values: Map<string, string>; asked: string[] } {
  const values = new Map([['person', 'Ada']])
  const asked: string[] = []
  return {
    values,
    asked,
    servers: new Map([
      [
        'srv_1',
        httpServer.parse({
          name: 'shop',
          base_url: url,
          headers: [{ name: 'X-Tenant', value: '${person}' }],
        }),
      ],
    ]),
    gate: {
      resolve: (host) => {
        asked.push(host)
        return host === 'shop.test'
          ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
          : Promise.reject(new TargetRefused(`${host} is no verified target.`))
      },
    },
    openFile: (path) => Promise.resolve(path === 'photo.png' ? Buffer.from('12345') : undefined),
    signal: new AbortController().signal,
    iteration: 0,
    forgets: { cookies: true, cache: true },
    usesSecrets: false,
    expand: (template) => Promise.resolve(template.replaceAll('${person}', values.get('person') ?? '')),
    set: (variable, value) => Promise.resolve(void values.set(variable, value)),
  }
}

function action(steps: readonly Step[], timeoutMs = 5000): ActionOf<'page'> {
  return {
    type: 'page',
    id: 'act_1',
    name: 'Shop',
    comment: '',
    enabled: true,
    timeout_ms: timeoutMs,
    steps: steps.map((step, index) => pageStep.parse({ id: `step_${index}`, ...step })),
  }
}

const goto = (path: string): Step => ({ type: 'goto', server_id: 'srv_1', path })
const css = (value: string) => ({ by: 'css', value })
const fillName = (value: string): Step => ({ type: 'fill', locator: { by: 'label', value: 'Name' }, value })
const expectTitle = (expected: string): Step => ({ type: 'expect', what: 'title', expected })

test('steps go into frames, type behind what is there, and mean the page that was chosen last', async () => {
  const runner = createPageRunner()
  const row = { by: 'css', value: 'li', has_text: 'second', frames: ['iframe'], within: css('#box') }
  const input = { by: 'css', value: 'input', within: row }
  const typed = (value: string): Step => ({ type: 'type_text', locator: input, value })
  try {
    const outcome = await runner.run(
      action([
        goto('/frames'),
        typed('Hello '),
        typed('${person}'),
        { type: 'expect', locator: input, what: 'value', expected: 'Hello Ada' },
        { type: 'click', locator: { by: 'role', value: 'button', name: 'Open' } },
        { type: 'use_page', page: 1 },
        expectTitle('Popup'),
        { type: 'use_page', page: 0 },
        expectTitle(''),
      ]),
      user(),
    )
    expect(outcome.failure).toBeNull()
    const missing = await runner.run(action([{ type: 'use_page', page: 2 }], 50), user())
    expect(missing.failure).toBe('Step 1, use page 2: Only 2 opened within 50 ms.')
  } finally {
    await runner.close()
  }
})

test('a page is used as a person would: every kind of step, in one browser that stays', async () => {
  const runner = createPageRunner()
  const someone = user()
  try {
    const first = await runner.run(
      action([
        goto('/'),
        { type: 'expect', what: 'title', expected: 'Shop' },
        { type: 'fill', locator: { by: 'label', value: 'Name' }, value: '${person}' },
        { type: 'select', locator: { by: 'label', value: 'Size' }, values: ['l'] },
        { type: 'check', locator: { by: 'label', value: 'Agree' } },
        { type: 'expect', locator: { by: 'label', value: 'Agree' }, what: 'checked' },
        { type: 'set_files', locator: { by: 'label', value: 'Picture' }, paths: ['photo.png'] },
        { type: 'expect', locator: css('#size'), what: 'text', expected: 'photo.png 5' },
        { type: 'click', locator: { by: 'role', value: 'button', name: 'Greet' } },
        {
          type: 'expect',
          locator: css('#out'),
          what: 'text',
          comparison: 'matches',
          expected: '^Hello A.a$',
        },
        {
          type: 'expect',
          locator: css('#out'),
          what: 'attribute',
          attribute: 'data-state',
          expected: 'old',
          negate: true,
        },
        { type: 'extract', locator: css('#out'), variable: 'greeting' },
      ]),
      someone,
    )
    expect(first.failure).toBeNull()
    expect(someone.values.get('greeting')).toBe('Hello Ada')
    expect(first.exchanges.map(({ role, exchange }) => [role, exchange.response?.status])).toContainEqual([
      'main',
      200,
    ])
    expect(first.exchanges[0]?.exchange.response?.body?.content).toContain('Welcome')
    expect(seen.find(({ path }) => path === '/')?.header).toBe('Ada')
    expect([...(first.screenshot ?? [])].slice(1, 4)).toEqual([...Buffer.from('PNG')])
    expect([...(first.trace ?? [])].slice(0, 2)).toEqual([...Buffer.from('PK')])
    const second = await runner.run(
      action([{ type: 'expect', locator: css('#out'), what: 'text', expected: 'Hello Ada' }]),
      someone,
    )
    expect(second.failure).toBeNull()
  } finally {
    await runner.close()
  }
})

test('what fails is told by step, and what is after it is not done', async () => {
  const runner = createPageRunner()
  try {
    const outcome = await runner.run(
      action(
        [
          goto('/'),
          { type: 'expect', locator: css('#out'), what: 'text', expected: 'somebody' },
          goto('/never'),
        ],
        300,
      ),
      user(),
    )
    expect(outcome.failure).toBe('Step 2, expect #out: Expected text of #out to be "somebody", saw "nobody".')
    expect(seen.map(({ path }) => path)).not.toContain('/never')
    const missing = await runner.run(action([goto('/missing')]), user())
    expect(missing.failure).toMatch(/^Step 1, go to \/missing: .*\/missing answered with status 404\.$/)
  } finally {
    await runner.close()
  }
})

test('a page reaches only what the gate lets it reach, also by redirect', async () => {
  const runner = createPageRunner()
  const someone = user()
  try {
    const away = await runner.run(
      action([
        goto('/away'),
        { type: 'expect', what: 'title', comparison: 'matches', expected: 'refused|blocked|verified' },
      ]),
      someone,
    )
    expect(someone.asked).toContain('elsewhere.test')
    expect(away.messages.join()).toContain('elsewhere.test is no verified target.')
    expect(away.failure).toBeNull()
    const hop = await runner.run(action([goto('/hop')]), someone)
    expect(someone.asked).toContain('10.0.0.1')
    expect(hop.failure).not.toBeNull()
  } finally {
    await runner.close()
  }
})

test.each([
  { forgets: { cookies: true, cache: true }, title: '|' },
  { forgets: { cookies: true, cache: false }, title: '|' },
  { forgets: { cookies: false, cache: true }, title: 'visited=yes|yes' },
  { forgets: { cookies: false, cache: false }, title: 'visited=yes|yes' },
])(
  'an iteration begins with one page, and with what is carried over: $forgets',
  async ({ forgets, title }) => {
    const runner = createPageRunner()
    const someone = { ...user(), forgets }
    try {
      const open = { type: 'click', locator: { by: 'role', value: 'button', name: 'Open' } }
      const visit = [goto('/remember'), expectTitle('|'), goto('/remember'), expectTitle('visited=yes|yes')]
      const popup = [goto('/frames'), open, { type: 'use_page', page: 1 }, expectTitle('Popup')]
      expect((await runner.run(action([...visit, ...popup]), someone)).failure).toBeNull()
      const next = { ...someone, iteration: 1 }
      expect((await runner.run(action([goto('/remember'), expectTitle(title)]), next)).failure).toBeNull()
      const missing = await runner.run(action([{ type: 'use_page', page: 1 }], 50), next)
      expect(missing.failure).toBe('Step 1, use page 1: Only 1 opened within 50 ms.')
    } finally {
      await runner.close()
    }
  },
  60_000,
)

test('what headers of a server say is what the variables say now', async () => {
  const runner = createPageRunner()
  const someone = user()
  try {
    await runner.run(action([goto('/popup')]), someone)
    someone.values.set('person', 'Bob')
    await runner.run(action([{ type: 'go', to: 'reload' }]), { ...someone, servers: new Map() })
    expect(seen.findLast(({ path }) => path === '/popup')?.header).toBe('Bob')
  } finally {
    await runner.close()
  }
})

test('where secrets are used no trace is kept, and no picture shows what was filled in', async () => {
  const runner = createPageRunner()
  const someone = user()
  const pictureOf = async (value: string, usesSecrets: boolean) => {
    const outcome = await runner.run(
      action([goto('/'), fillName(value), { type: 'hover', locator: css('h1') }]),
      {
        ...someone,
        usesSecrets,
      },
    )
    expect(outcome.failure).toBeNull()
    return outcome
  }
  try {
    const one = await pictureOf('hunter2hunter2', true)
    const other = await pictureOf('xxxxxx', true)
    expect(one.trace).toBeNull()
    expect(one.messages.join()).toContain('No trace was kept')
    expect(Buffer.compare(one.screenshot ?? Buffer.of(1), other.screenshot ?? Buffer.of(2))).toBe(0)
  } finally {
    await runner.close()
  }
})

test('no other protocol leads around the gate: WebSockets are asked about, and nothing goes from peer to peer', async () => {
  const runner = createPageRunner()
  const someone = user()
  const datagrams = createSocket('udp4')
  const streams = createTcpServer()
  let packets = 0
  datagrams.on('message', () => packets++)
  streams.on('connection', (socket) => {
    packets++
    socket.destroy()
  })
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => streams.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const peers = `/peer?udp=${datagrams.address().port}&tcp=${(streams.address() as AddressInfo).port}`
  try {
    const outcome = await runner.run(
      action([goto('/socket'), expectTitle('blocked'), goto(peers), expectTitle('done')], 15_000),
      someone,
    )
    expect(outcome.failure).toBeNull()
    expect(someone.asked).toContain('elsewhere.test')
    expect(packets).toBe(0)
  } finally {
    await runner.close()
    datagrams.close()
    streams.close()
  }
})
