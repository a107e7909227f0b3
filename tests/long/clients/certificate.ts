import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A key and a certificate for hosts that are played on this machine. */
export interface Certificate {
  key: Buffer
  cert: Buffer
  /** The certificate, which whoever calls these hosts has to trust (`NODE_EXTRA_CA_CERTS`). */
  file: string
}

/** @param dir Where its files go; they are for one run. */
export function makeCertificate(hosts: readonly string[], dir: string): Certificate {
  const keyFile = join(dir, 'hosts.key')
  const file = join(dir, 'hosts.pem')
  execFileSync(
    'openssl',
    (
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout ${keyFile} -out ${file} ` +
      // Clients in Rust take no authority for a host.
      '-subj /CN=played -addext basicConstraints=critical,CA:FALSE ' +
      `-addext subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`
    ).split(' '),
    { stdio: 'ignore' },
  )
  return { key: readFileSync(keyFile), cert: readFileSync(file), file }
}
