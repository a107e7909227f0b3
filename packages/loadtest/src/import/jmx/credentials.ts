import { splitAddress } from '../address.ts'
import { itemsOf, type JmxElement, propertiesOf, textOf } from './jmx-element.ts'
import { noteOf, type Work } from './work.ts'

const credentialsMax = 1000

/** Gives the servers the credentials that an Authorization Manager has for them. */
export function readCredentials(work: Work, manager: JmxElement): void {
  const note = noteOf(work, manager)
  for (const credential of itemsOf(manager, 'AuthManager.auth_list', credentialsMax).map(propertiesOf)) {
    const text = (name: string) => textOf(credential, `Authorization.${name}`)
    const url = work.texts.template(text('url').trim(), note)
    const address = splitAddress(url)
    const server = work.servers.all().find(({ document }) => document.base_url === address?.origin)
    const mechanism = text('mechanism')
    if (server === undefined || address === undefined) {
      note(`No request goes to ${url.slice(0, 200)}.`)
      continue
    }
    if (mechanism === 'KERBEROS') {
      note('Kerberos is not spoken here.')
      continue
    }
    if (address.path !== '/') note(`All requests to ${address.origin.slice(0, 200)} have these credentials.`)
    if (mechanism !== 'BASIC' && mechanism !== 'DIGEST') note('They are sent as basic authentication.')
    server.document.authentication = {
      type: mechanism === 'DIGEST' ? 'digest' : 'basic',
      user_name: work.texts.template(text('username'), note),
      password: passwordOf(work, text('password'), server.document.name, note),
    }
    work.fates.mapped(manager)
  }
}

/** A password that is written in the plan becomes a secret without a value: secrets are not kept in documents. */
function passwordOf(work: Work, written: string, server: string, note: (text: string) => void): string {
  if (written === '' || written.includes('${')) return work.texts.template(written, note)
  const name = work.texts.add('password', { type: 'secret', description: `Password for ${server}.` })
  note(`The password is not taken over: give it to the secret ${name}.`)
  return `\${${name}}`
}
