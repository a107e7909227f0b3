import { Problem } from '@flamegate/contract'
import type { McpTarget } from '../ports/index.ts'

type Transport = McpTarget['transport']

/** How a server is spoken to, by its address; a server without one is a collector's command. */
export function transportOf(address: string | null): Transport {
  return address !== null && /^https?:\/\//.test(address) ? 'streamable_http' : 'stdio'
}

/**
 * An address is shown to everybody who may read the project.
 * @throws Problem `invalid_input` for an address that has a password, or is none of its transport
 */
export function requireSafeAddress(address: string | null, transport: Transport): void {
  if (address === null || transport === 'stdio') return
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('Write it as http://… or https://…, or give stdio as transport.')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw wrong('Leave out user, password and query: whoever measures gives them as --header.')
  }
}

function wrong(message: string): Problem {
  return new Problem('invalid_input', 'The address cannot be taken.', {
    errors: [{ field: 'address', message }],
  })
}
