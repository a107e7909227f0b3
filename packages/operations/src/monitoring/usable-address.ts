import { Problem } from '@flamegate/contract'

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * What can be seen of an address without going there; the guarded way out looks again, at the address behind the name.
 * @throws Problem `invalid_input` that names the field
 */
export function requireUsable(address: string, field: string): void {
  const fault = faultOf(new URL(address))
  if (fault !== undefined) {
    throw new Problem('invalid_input', fault, { errors: [{ field, message: fault }] })
  }
}

function faultOf(url: URL): string | undefined {
  if (url.protocol !== 'https:' && !loopbackHosts.has(url.hostname)) return 'Give an https address.'
  if (url.username !== '' || url.password !== '')
    return 'The address must not carry a user name or password; messages are signed.'
  return undefined
}
