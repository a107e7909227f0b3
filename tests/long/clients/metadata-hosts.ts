import { createServer } from 'node:https'
import { makeCertificate } from './certificate.ts'
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
  const { file: certificateFile, ...credentials } = makeCertificate(hosts, dir)
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
