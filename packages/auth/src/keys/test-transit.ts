import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { decrypt, encrypt } from './aes-gcm.ts'

/** What of Vault's transit engine we use, with one key that cannot be had: `transit/flamegate`. */
export interface TestTransit {
  url: string
  close(): Promise<void>
}

export async function startTransit(token: string): Promise<TestTransit> {
  const key = randomBytes(32)

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    if (request.headers['x-vault-token'] !== token) return [403, { errors: ['permission denied'] }]
    const fields: Record<string, string> = JSON.parse(await text(request))
    const about = Buffer.from(fields['associated_data'] ?? '', 'base64').toString()
    if (request.url === '/v1/transit/encrypt/flamegate') {
      const plain = Buffer.from(fields['plaintext'] ?? '', 'base64')
      return [200, { data: { ciphertext: `vault:v1:${encrypt(key, plain, about).toString('base64')}` } }]
    }
    if (request.url === '/v1/transit/decrypt/flamegate') {
      const [, , body = ''] = (fields['ciphertext'] ?? '').split(':')
      try {
        const plain = decrypt(key, Buffer.from(body, 'base64'), about)
        return [200, { data: { plaintext: plain.toString('base64') } }]
      } catch {
        return [400, { errors: ['cipher: message authentication failed'] }]
      }
    }
    return [404, { errors: [] }]
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
