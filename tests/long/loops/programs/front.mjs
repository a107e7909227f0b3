// The part of a search that browsers ask: it asks the other two, `node front.mjs <url of rank or -> <url of render>`, and
// answers what each part took of the request, in milliseconds.
import { createServer } from 'node:http'

const [rankUrl, renderUrl] = process.argv.slice(2)

function parseQuery(query) {
  let hash = 0
  for (let round = 0; round < 60_000; round++) hash = (hash * 31 + query.charCodeAt(round % query.length)) | 0
  return Math.abs(hash)
}

async function ask(url) {
  const startedAt = performance.now()
  await (await fetch(url)).text()
  return performance.now() - startedAt
}

const server = createServer(async (request, response) => {
  if (request.url === '/stop') {
    response.end()
    process.exit(0)
  }
  const startedAt = performance.now()
  const number = Number(new URL(request.url, 'http://localhost').searchParams.get('number'))
  parseQuery(`query ${number}`)
  const rank = rankUrl === '-' ? 0 : await ask(`${rankUrl}/?number=${number}`)
  const render = await ask(`${renderUrl}/?number=${number}`)
  const all = performance.now() - startedAt
  response.end(JSON.stringify({ front: all - rank - render, rank, render }))
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
