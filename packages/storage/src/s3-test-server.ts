import { createHash, createHmac } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import S3rver from 's3rver'

export interface S3TestServer {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
  close: () => Promise<void>
}

/** The pair that s3rver knows. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const region = 'us-east-1'
const bucket = 'flamegate'

/**
 * s3rver stores and answers like S3 but believes every version 4 signature. In front of it stands what S3 also does
 * and our links rely on: signatures, expiry, `if-none-match` and `content-md5` are checked here, by the letter of
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export async function startS3TestServer(directory: string): Promise<S3TestServer> {
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  })
  const { port: storePort } = await store.run()
  const stored = new Set<string>()

  const front = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const refusal = whyRefused(incoming, url, stored)
    if (refusal) {
      incoming.resume()
      outgoing.writeHead(refusal.status).end(`<Error><Code>${refusal.code}</Code></Error>`)
      return
    }
    if (incoming.headers['content-md5'] === undefined) forward(incoming, outgoing, storePort)
    else void forwardWhole(incoming, outgoing, storePort)
    if (incoming.method === 'PUT') stored.add(url.pathname)
    if (incoming.method === 'DELETE') stored.delete(url.pathname)
  })
  const port = await new Promise<number>((resolve) => {
    front.listen(0, '127.0.0.1', () => {
      const address = front.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region,
    ...credentials,
    close: async () => {
      front.closeAllConnections()
      front.close()
      await store.close()
    },
  }
}

function whyRefused(
  incoming: IncomingMessage,
  url: URL,
  stored: ReadonlySet<string>,
): { status: number; code: string } | undefined {
  const isTaken = incoming.headers['if-none-match'] === '*' && stored.has(url.pathname)
  if (!url.searchParams.has('X-Amz-Signature')) {
    // Our own calls sign a header instead, which the client library gets right by itself.
    if (incoming.headers.authorization === undefined) return { status: 403, code: 'AccessDenied' }
    return isTaken ? { status: 412, code: 'PreconditionFailed' } : undefined
  }
  if (presignedSignature(incoming, url) !== url.searchParams.get('X-Amz-Signature')) {
    return { status: 403, code: 'SignatureDoesNotMatch' }
  }
  const signedAt = (url.searchParams.get('X-Amz-Date') ?? '').replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  )
  if (Date.parse(signedAt) + Number(url.searchParams.get('X-Amz-Expires')) * 1_000 < Date.now()) {
    return { status: 403, code: 'AccessDenied' }
  }
  return isTaken ? { status: 412, code: 'PreconditionFailed' } : undefined
}

function presignedSignature(incoming: IncomingMessage, url: URL): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('&')
  const signedHeaders = url.searchParams.get('X-Amz-SignedHeaders') ?? ''
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(incoming.headers[name] ?? '').trim()}\n`)
  const canonical = [
    incoming.method,
    url.pathname,
    query,
    headers.join(''),
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ]
  const date = url.searchParams.get('X-Amz-Date') ?? ''
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const hash = createHash('sha256').update(canonical.join('\n')).digest('hex')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.secretAccessKey}`)
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, hash].join('\n')).toString('hex')
}

/** RFC 3986: everything but letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** An upload whose bytes are known beforehand: all of it and nothing else is stored. */
async function forwardWhole(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
): Promise<void> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk)
  } catch {
    return
  }
  const body = Buffer.concat(chunks)
  if (createHash('md5').update(body).digest('base64') !== incoming.headers['content-md5']) {
    outgoing.writeHead(400).end('<Error><Code>BadDigest</Code></Error>')
    return
  }
  behind(incoming, outgoing, port).end(body)
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  incoming.pipe(behind(incoming, outgoing, port))
}

/** The same request to the store behind, whose answer is passed on. */
function behind(incoming: IncomingMessage, outgoing: ServerResponse, port: number): ClientRequest {
  const { method, url: path } = incoming
  // It would take a host with a name (`http://store`) for a bucket.
  const headers = { ...incoming.headers, host: '127.0.0.1' }
  const passedOn = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(outgoing)
  })
  passedOn.on('error', () => outgoing.destroy())
  return passedOn
}
