import { createServer, type ServerResponse } from 'node:http'
import { escapeHtml, tableHtml } from '@flamegate/mcp-profiling'
import { UsageError } from '../../usage-error.ts'
import { isLoopback } from '../target/allowed-load.ts'
import type { FlameGraph } from './drawings.ts'

/** A page that is served until it is closed. */
export interface ServedPage {
  url: string
  close: () => Promise<void>
}

/**
 * Serves flame graphs to browsers of this machine, one page for each value that was measured. Port 0 is any that is free.
 * @throws UsageError when the port is taken
 */
export async function serveFlameGraphs(graphs: readonly FlameGraph[], port: number): Promise<ServedPage> {
  const server = createServer((request, response) => {
    // A name of somebody else that leads here would let his pages read it.
    if (!isOfThisMachine(request.headers.host)) {
      respond(response, 403, 'text/plain; charset=utf-8', 'Ask for localhost or 127.0.0.1.\n')
      return
    }
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, number, extension] = /^\/(\d*)(\.svg)?$/.exec(pathname) ?? []
    const graph = number === undefined ? undefined : graphs[Number(number)]
    if (graph === undefined) respond(response, 404, 'text/plain; charset=utf-8', 'Nothing here.\n')
    else if (extension === '.svg') respond(response, 200, 'image/svg+xml', graph.svg)
    else respond(response, 200, 'text/html; charset=utf-8', pageOf(graphs, Number(number)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new UsageError(`Port ${port} cannot be had (${cause.message}): give another as --port.`))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isOfThisMachine(host: string | undefined): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname)
}

function respond(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The picture has a script of its own, and nothing is fetched from elsewhere.
    'content-security-policy':
      "default-src 'none'; object-src 'self'; frame-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'self'",
  })
  response.end(body)
}

function pageOf(graphs: readonly FlameGraph[], shown: number): string {
  const graph = graphs[shown]
  if (graph === undefined) throw new RangeError('There is such a graph')
  const links = graphs.map(({ sampleType }, index) =>
    index === shown
      ? `<strong>${escapeHtml(sampleType)}</strong>`
      : `<a href="/${index}">${escapeHtml(sampleType)}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(graph.title)}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; background: #fdfcfa; color: #1d1b18 }
body { margin: 1rem }
object { width: 100%; display: block }
nav { display: flex; gap: 1rem; margin: .5rem 10px }
h2 { font-size: 1.1rem; margin: 1.5rem 10px .5rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .2rem .75rem; border-bottom: 1px solid #8886; white-space: nowrap }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left }
a { color: #9a3412 }
@media (prefers-color-scheme: dark) { :root { background: #1b1917; color: #f7f4ef } a { color: #fdba74 } }
</style>
</head>
<body>
<nav>${graphs.length > 1 ? links.join('') : ''}<a href="/${shown}.svg">The picture alone</a></nav>
<object type="image/svg+xml" data="/${shown}.svg" aria-label="Flame graph of ${escapeHtml(graph.title)}"></object>
${tableHtml(graph.table)}
</body>
</html>
`
}
