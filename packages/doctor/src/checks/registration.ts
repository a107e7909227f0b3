import { asJson, jsonObject, outcome, text, texts } from '../exchange.ts'
import type { Exchange, Sent } from '../exchange.ts'
import { clientsThat, failed, ok, skipped } from '../finding.ts'
import type { Finding } from '../finding.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { registrationForms, together, type RegistrationForm } from './registration-forms.ts'

/** A client that was registered for the examination. */
export interface RegisteredClient {
  clientId: string
  /** As the server says it; what was sent when it says nothing. */
  redirectUris: string[]
  /** To remove it again (RFC 7592); undefined when the server does not offer that. */
  management: { url: string; token: string } | undefined
}

export interface Registration {
  findings: Finding[]
  registered: RegisteredClient[]
}

const check = 'registration'
const advice = 'Accept it: replace what you do not support instead of refusing (RFC 7591, 3.2.1).'

/**
 * Registers one client in the forms of all families of clients at once (RFC 7591), because many servers keep what is
 * registered for ever. Only where that is refused, each form is tried by itself.
 */
export async function checkRegistration(
  send: Exchange,
  endpoint: string,
  options: { server: AuthorizationServer; scope: string | undefined; redirectUris: readonly string[] },
): Promise<Registration> {
  const forms = registrationForms({ ...options, grantTypes: options.server.grantTypes })
  const attempt = await register(send, endpoint, together(forms))
  if (attempt.client !== undefined) {
    const { client } = attempt
    return { findings: forms.map((form) => heldAgainst(form, client)), registered: [client] }
  }
  if (!isAboutTheForm(attempt.answer)) {
    return { findings: [refusedForAll(attempt.answer)], registered: [] }
  }
  const attempts = await Promise.all(forms.map((form) => register(send, endpoint, form.metadata)))
  return {
    findings: forms.map((form, at) => {
      const { client, answer } = attempts[at] ?? attempt
      return client === undefined ? refused(form, answer) : heldAgainst(form, client)
    }),
    registered: attempts.flatMap(({ client }) => client ?? []),
  }
}

async function register(
  send: Exchange,
  endpoint: string,
  metadata: RegistrationForm['metadata'],
): Promise<{ client: RegisteredClient | undefined; answer: Sent }> {
  const answer = await send({
    method: 'POST',
    url: endpoint,
    headers: asJson,
    body: JSON.stringify(metadata),
  })
  const document = jsonObject(answer)
  const clientId = text(document?.['client_id'])
  if (answer.status < 200 || answer.status > 201 || document === undefined || clientId === undefined) {
    return { client: undefined, answer }
  }
  const url = text(document['registration_client_uri'])
  const token = text(document['registration_access_token'])
  const management = url !== undefined && token !== undefined ? { url, token } : undefined
  const said = document['redirect_uris']
  const redirectUris = said === undefined ? metadata.redirect_uris : texts(said)
  return { client: { clientId, redirectUris, management }, answer }
}

function isAboutTheForm({ status }: Sent): boolean {
  return status === 400 || status === 422
}

function titleOf(clients: readonly string[]): string {
  return `${clients.join(', ')} can register`
}

/** The server may have left out redirects without a word. */
function heldAgainst({ clients, metadata }: RegistrationForm, client: RegisteredClient): Finding {
  const missing = metadata.redirect_uris.filter((uri) => !client.redirectUris.includes(uri))
  if (missing.length === 0) {
    return ok(
      check,
      titleOf(clients),
      `${client.clientId} may come back to ${metadata.redirect_uris.join(', ')}.`,
    )
  }
  const detail = `The answer leaves out ${missing.join(', ')}.`
  return failed(check, titleOf(clients), { detail, advice: 'Keep every redirect URI.', clients })
}

function refused({ clients }: RegistrationForm, answer: Sent): Finding {
  return failed(check, titleOf(clients), {
    detail: `It ${outcome(answer)}${reason(answer)}.`,
    advice,
    clients,
  })
}

function refusedForAll(answer: Sent): Finding {
  const title = 'Clients can register'
  const detail = `It ${outcome(answer)}${reason(answer)}.`
  if (answer.status === 429) return skipped(check, title, `${detail} Examine again later.`)
  return failed(check, title, {
    detail,
    advice:
      answer.status === 401 || answer.status === 403
        ? 'Let clients register without a token: they have none yet.'
        : 'Answer 201 and the client (RFC 7591, 3.2.1), or do not name a registration_endpoint.',
    clients: clientsThat.registerThemselves,
  })
}

function reason(answer: Sent): string {
  const document = jsonObject(answer)
  const said = text(document?.['error_description']) ?? text(document?.['error'])
  return said === undefined ? '' : `: ${said.replace(/\.$/, '')}`
}

/** Removes what was registered, where the server lets us, and says what is left behind. */
export async function unregister(send: Exchange, clients: readonly RegisteredClient[]): Promise<Finding[]> {
  if (clients.length === 0) return []
  const left = await Promise.all(
    clients.map(async ({ clientId, management }) => {
      if (!management) return `${clientId} (it offers no removal, RFC 7592)`
      const headers = { authorization: `Bearer ${management.token}` }
      const answer = await send({ method: 'DELETE', url: management.url, headers })
      return answer.status >= 200 && answer.status < 300 ? [] : `${clientId} (DELETE ${outcome(answer)})`
    }),
  )
  const title = 'What was registered is removed again'
  const names = left.flat()
  if (names.length === 0) return [ok('left-behind', title, 'Nothing is left behind.')]
  return [
    skipped(
      'left-behind',
      title,
      `The server keeps what was registered as “Flamegate connection doctor”: ${names.join(', ')}. Whoever runs it can remove that.`,
    ),
  ]
}
