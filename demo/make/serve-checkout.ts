// The checkout service of the demo over HTTP, at the newest commit of a branch: what the demo's load test sends requests to.
//   npm run demo-service                                              main, at port 4300
//   npm run demo-service -- --branch feat/loyalty-discounts --port 4301
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const usage = 'Usage: npm run demo-service [-- [--branch main|feat/loyalty-discounts] [--port 4300]]'
const { values } = parseArgs({
  options: {
    branch: { type: 'string', default: 'main' },
    port: { type: 'string', default: '4300' },
    help: { type: 'boolean', default: false },
  },
})
const commitsFolder = join(import.meta.dirname, 'checkout-service/commits')
async function serve(branch: string, port: number): Promise<void> {
  const shop = await loadShop(branch)
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { status, answer } = shop(request.method ?? 'GET', request.url ?? '/', body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => {
      // A body that is no JSON, or a user who left in the middle.
      if (!response.destroyed) response.writeHead(400).end(JSON.stringify({ detail: String(error) }))
    })
  })
  server.on('error', ({ message }) => refuse(`It cannot listen: ${message}. ${usage}`))
  server.listen(port, '127.0.0.1', () => {
    const address = server.address()
    const at = typeof address === 'object' ? address?.port : port
    console.log(`The checkout service of ${branch} is at http://127.0.0.1:${at} until Ctrl+C.`)
  })
}

function refuse(words: string): never {
  console.error(words)
  process.exit(2)
}

type Shop = (method: string, url: string, body: string) => { status: number; answer: unknown }

/** The functions of the service, which is JavaScript. */
interface Service {
  parseCatalogue(text: string): Map<string, { sku: string }>
  buildIndex(catalogue: Map<string, unknown>): unknown
  searchCatalogue(index: unknown, query: string): unknown[]
  priceCart(items: unknown[], catalogue: Map<string, unknown>, country: string): unknown[]
  applyDiscounts(lines: unknown[], rules: unknown[], today: number): unknown[]
  serialiseReceipt(lines: unknown[], heading: { number: number; issuedAt: string }): string
  catalogueText(count: number): string
  makeItems(catalogue: Map<string, unknown>, count: number): unknown[]
  makeRules(catalogue: Map<string, unknown>, count: number): unknown[]
}

/** Lines of the orders that customers repeat. */
const orderLines: Readonly<Record<string, number>> = { weekly: 150, quarterly: 3000 }
const today = Date.parse('2026-11-20')

async function loadShop(branch: string): Promise<Shop> {
  const service = await loadService(branch)
  const catalogue = service.parseCatalogue(service.catalogueText(1500))
  const index = service.buildIndex(catalogue)
  const rules = service.makeRules(catalogue, 36)
  const orders = new Map(
    Object.entries(orderLines).map(([name, count]) => [name, service.makeItems(catalogue, count)]),
  )
  const price = (body: string) => {
    const { order = '', country = 'DE' } = JSON.parse(body)
    return service.priceCart(orders.get(order) ?? [], catalogue, country)
  }
  let receipts = 0
  return (method, address, body) => {
    const url = new URL(address, 'http://shop')
    switch (`${method} ${url.pathname}`) {
      case 'GET /products':
        return {
          status: 200,
          answer: { products: service.searchCatalogue(index, url.searchParams.get('query') ?? '') },
        }
      case 'POST /prices':
        return { status: 200, answer: { lines: price(body) } }
      case 'POST /checkout': {
        const heading = { number: ++receipts, issuedAt: '2026-11-20' }
        const lines = service.applyDiscounts(price(body), rules, today)
        return { status: 201, answer: { receipt: service.serialiseReceipt(lines, heading) } }
      }
      default:
        return {
          status: 404,
          answer: { detail: 'There are GET /products, POST /prices and POST /checkout.' },
        }
    }
  }
}

/** The commits of main, then those of the branch: each folder has the files that it changes. */
async function loadService(branch: string): Promise<Service> {
  const commits = readdirSync(commitsFolder)
    .toSorted()
    .map((name) => ({
      name,
      of: JSON.parse(readFileSync(join(commitsFolder, name, 'commit.json'), 'utf8')).branch,
    }))
  if (!commits.some(({ of }) => of === branch)) refuse(`There is no branch ${branch}. ${usage}`)
  const folder = mkdtempSync(join(tmpdir(), 'flamegate-demo-service-'))
  try {
    for (const { name, of } of commits)
      if (of === 'main' || of === branch) cpSync(join(commitsFolder, name), folder, { recursive: true })
    const files = [
      'src/catalogue.js',
      'src/search.js',
      'src/cart.js',
      'src/discounts.js',
      'src/receipt.js',
      'bench/data.js',
    ]
    const modules: Partial<Service>[] = await Promise.all(
      files.map((file) => import(pathToFileURL(join(folder, file)).href)),
    )
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what these files export
    return Object.assign({}, ...modules) as Service
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.help) console.log(usage)
else await serve(values.branch, Number(values.port))
