import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { diagnose } from '@flamegate/doctor'
import { sendOverFetch } from './fetch-send.ts'

/** The doctor at servers that leave their streams open: none of these tests would end if it waited for them. */

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener)
  server = started
  await new Promise<void>((listening) => {
    started.listen(0, '127.0.0.1', listening)
  })
  const address = started.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on a port')
  return `http://127.0.0.1:${address.port}/mcp`
}

test('a GET that opens a stream instead of answering 401 is blamed, and not waited for', async () => {
  const url = await serve((request, response) => {
    if (request.method === 'GET' && request.url === '/mcp') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
      return
    }
    const status = request.url === '/mcp' ? 401 : 404
    response.writeHead(status, { 'www-authenticate': 'Bearer scope="read", error="invalid_token"' }).end()
  })
  const { findings } = await diagnose({ url, send: sendOverFetch })
  expect(findings.find(({ check }) => check === 'probe-get')).toMatchObject({
    detail: 'GET was answered with 200.',
    clients: ['Codex', 'mcp-remote'],
  })
  expect(findings.find(({ check }) => check === 'probe-head')).toMatchObject({ status: 'ok' })
})

test('an answer is taken out of a stream that stays open behind it', async () => {
  const url = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 1\ndata: \n\n')
    request.resume().once('end', () => {
      response.write(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25', tools: [] } })}\n\n`,
      )
    })
  })
  const { verdict, findings } = await diagnose({ url, send: sendOverFetch })
  expect(findings.find(({ check }) => check === 'tools')).toMatchObject({ status: 'ok' })
  // It is loopback, and no tool is there to be called.
  expect(verdict).toBe('stumbles')
})

test('a server that is not there is told in words', async () => {
  const url = await serve((_request, response) => response.destroy())
  const { findings, verdict } = await diagnose({ url, send: sendOverFetch })
  expect(verdict).toBe('broken')
  expect(findings.at(-1)).toMatchObject({ check: 'reach', detail: expect.stringContaining('had no answer') })
})
