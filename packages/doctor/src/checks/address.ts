import { clientsThat, failed, ok, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'

const title = 'The address is one that clients take'

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

/** Looks at the URL alone. */
export function checkAddress(url: URL): Finding {
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return failed('address', title, {
      detail: 'It holds a user, a password or a fragment.',
      advice: 'Give the plain address of the MCP endpoint.',
      clients: clientsThat.everyone,
    })
  }
  if (isLoopback(url)) {
    return warning('address', title, {
      detail: `${url.host} is this computer: only clients that run here reach it.`,
      advice: 'Serve it under a public https address for clients that run elsewhere.',
      clients: ['Claude', 'ChatGPT', 'Cursor on the web'],
    })
  }
  if (url.protocol !== 'https:') {
    return failed('address', title, {
      detail: 'It is not https.',
      advice: 'Put it behind TLS: tokens must not travel in clear, and clients refuse it.',
      clients: clientsThat.everyone,
    })
  }
  return ok('address', title, `${url.href} is https.`)
}
