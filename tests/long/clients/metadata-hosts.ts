import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { playedAddress } from './offline.ts'

/** A client ID metadata document and where it is published. */
export interface ClientDocument {
  url: string
  metadata: Readonly<Record<string, unknown>>
}

/** The hosts that publish client ID metadata documents, played on this machine. */
export interface MetadataHosts {
  /** Authority that the platform has to trust (`NODE_EXTRA_CA_CERTS`). */
  certificateFile: string
  close(): Promise<void>
}

/** @param dir for the certificate of one run */
export async function openMetadataHosts(
  documents: readonly ClientDocument[],
  dir: string,
): Promise<MetadataHosts> {
  const hosts = [...new Set(documents.map(({ url }) => new URL(url).hostname))]
  const keyFile = join(dir, 'hosts.key')
  const certificateFile = join(dir, 'hosts.pem')
  execFileSync(
    'openssl',
    (
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout ${keyFile} -out ${certificateFile} ` +
      `-subj /CN=played -addext subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`
    ).split(' '),
    { stdio: 'ignore' },
  )
  const credentials = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) }
  const server = createServer(credentials, ({ headers, url }, response) => {
    const document = documents.find((each) => each.url === `https://${headers.host}${url}`)
    if (document === undefined) response.writeHead(404).end()
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=300' })
      response.end(JSON.stringify({ client_id: document.url, ...document.metadata }))
    }
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(443, playedAddress, done)
  })
  return {
    certificateFile,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
