import { decodeUri } from '@flamegate/loadtest/running'
import { ActionFailure } from '../action-failure.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import type { Compiler } from '../program/compiler.ts'
import { basicAuthorization } from './authorization.ts'
import { destinationOf } from './connect.ts'
import type { Destination } from './connect.ts'

/** What goes between a user and the servers. */
export interface Proxy {
  destination: Destination
  /** Value of the header `proxy-authorization`; null where it asks for none. */
  authorization: string | null
}

/** The proxy that an address with variables in it stands for now. Throws an ActionFailure where it stands for none. */
export type MakeProxy = (expand: (template: CompiledTemplate) => string) => Proxy

/** User name and password are taken apart before values are filled in, so that any character may be in these. */
export function compileProxy(address: string, compiler: Compiler): MakeProxy {
  const [, scheme = '', user, host = ''] = /^(https?):\/\/(?:(.*)@)?([^@]*?)\/?$/i.exec(address) ?? []
  const [userName = '', ...rest] = user?.split(':') ?? []
  const credentials =
    user === undefined
      ? null
      : { userName: compiler.template(userName), password: compiler.template(rest.join(':')) }
  const hostTemplate = compiler.template(host)
  return (expand) => {
    // What is written into an address is encoded, what a variable holds is not.
    const filled = (template: CompiledTemplate) =>
      typeof template === 'string' ? decodeUri(template) : expand(template)
    const authority = expand(hostTemplate)
    const url = URL.parse(`${scheme}://${authority}`)
    if (url === null || url.host === '' || url.username !== '' || url.pathname !== '/')
      throw new ActionFailure(`The address of the proxy names no host: ${authority}.`)
    return {
      destination: destinationOf(url),
      authorization:
        credentials === null
          ? null
          : basicAuthorization({
              userName: filled(credentials.userName),
              password: filled(credentials.password),
            }),
    }
  }
}
