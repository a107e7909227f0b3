import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { postMessage } from './post-message.ts'

const servers: Server[] = []

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const message = { headers: { 'webhook-id': 'dlv_1' }, body: '{}' }
const post = (url: string) => postMessage(url, { ...message, allowLoopback: true })

test('a status from 200 to 299 is a delivery, with the beginning of what was said', async () => {
  const url = await serve((_request, response) => response.writeHead(202).end(`ok\n${'x'.repeat(5000)}`))
  const outcome = await post(url)
  expect(outcome).toMatchObject({ wasDelivered: true, responseStatus: 202 })
  expect(outcome.responseExcerpt).toMatch(/^ok x+$/)
  expect(outcome.responseExcerpt).toHaveLength(300)
})

test('an error is none', async () => {
  const url = await serve((_request, response) => response.writeHead(500).end('broken'))
  expect(await post(url)).toMatchObject({
    wasDelivered: false,
    responseStatus: 500,
    responseExcerpt: 'broken',
  })
})

test('a redirect is not followed', async () => {
  let visits = 0
  const aim = await serve((_request, response) => {
    visits += 1
    response.end()
  })
  const url = await serve((_request, response) => response.writeHead(307, { location: aim }).end())
  expect(await post(url)).toMatchObject({ wasDelivered: false, responseStatus: 307 })
  expect(visits).toBe(0)
})

test('an answer that does not end is left after its beginning', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200)
    response.write('y'.repeat(1000))
  })
  expect(await post(url)).toMatchObject({ wasDelivered: true, responseStatus: 200 })
})

test('what was answered counts, also when the rest of the answer does not come', async () => {
  const breaksOff = (status: number) =>
    serve((request, response) => {
      response.writeHead(status, { 'content-length': '100' }).write('taken')
      setTimeout(() => request.socket.destroy(), 20)
    })
  expect(await post(await breaksOff(200))).toMatchObject({
    wasDelivered: true,
    responseStatus: 200,
    responseExcerpt: 'taken',
  })
  expect(await post(await breaksOff(500))).toMatchObject({ wasDelivered: false, responseStatus: 500 })
  const garbled = await serve((_request, response) =>
    response.writeHead(202, { 'content-encoding': 'gzip' }).end('this is no gzip'),
  )
  expect(await post(garbled)).toMatchObject({ wasDelivered: true, responseStatus: 202 })
})

test('nobody there, and an address of our own network, are told in our words', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  expect(await post(url)).toMatchObject({
    wasDelivered: false,
    responseStatus: null,
    responseExcerpt: 'The other side could not be reached or broke off.',
  })
  const inside = await postMessage('https://10.0.0.1/', { ...message, allowLoopback: true })
  expect(inside).toMatchObject({ wasDelivered: false, responseStatus: null })
  const here = await postMessage('https://127.0.0.1/', { ...message, allowLoopback: false })
  expect([here.responseStatus, here.responseExcerpt]).toEqual([null, inside.responseExcerpt])
})
