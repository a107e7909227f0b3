import { fromAPage, jsonObject, outcome, text, texts } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import { clientsThat, failed, ok, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'
import { authorizationServerUrls } from '../well-known.ts'
import { isLoopback } from './address.ts'

/** Authorization-server metadata, as far as it is needed (RFC 8414, 2). */
export interface AuthorizationServer {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  registrationEndpoint: string | undefined
  /** Empty when it does not say. */
  grantTypes: string[]
}

const title = 'The authorization server says what clients need'

/** Finds the metadata of the issuer as clients do and reads it for what they check. */
export async function checkAuthorizationServer(
  send: Exchange,
  issuer: string,
): Promise<{ findings: Finding[]; server: AuthorizationServer | undefined }> {
  const tried: string[] = []
  for (const url of authorizationServerUrls(issuer)) {
    // One after the other: that is how clients do it, and the first that answers counts.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await send({ method: 'GET', url, headers: fromAPage })
    const document = answer.status === 200 ? jsonObject(answer) : undefined
    if (document !== undefined) {
      return readServer(issuer, document, answer.headers['access-control-allow-origin'] !== undefined)
    }
    tried.push(`${url} ${outcome(answer)}`)
  }
  const finding = failed('authorization-server', title, {
    detail: `There is no metadata of ${issuer}. ${tried.join('; ')}.`,
    advice: 'Serve /.well-known/oauth-authorization-server (RFC 8414).',
    clients: clientsThat.everyone,
  })
  return { findings: [finding], server: undefined }
}

function readServer(
  issuer: string,
  document: Record<string, unknown>,
  hasCors: boolean,
): { findings: Finding[]; server: AuthorizationServer | undefined } {
  const findings: Finding[] = []
  const complain = (detail: string, advice: string, clients: readonly string[]) =>
    findings.push(failed('authorization-server', title, { detail, advice, clients }))
  const remark = (check: string, what: string, detail: string, advice: string, clients: readonly string[]) =>
    findings.push(warning(check, what, { detail, advice, clients }))

  if (document['issuer'] !== issuer) {
    const isAboutTheSlash = text(document['issuer'])?.replace(/\/$/, '') === issuer.replace(/\/$/, '')
    complain(
      `issuer is ${String(document['issuer'])}, but ${issuer} was asked.${isAboutTheSlash ? ' The slash at the end counts.' : ''}`,
      'Make both equal, letter by letter (RFC 8414, 3.3), here and in authorization_servers.',
      isAboutTheSlash ? clientsThat.useTheSdk : clientsThat.everyone,
    )
  }
  const authorizationEndpoint = text(document['authorization_endpoint'])
  const tokenEndpoint = text(document['token_endpoint'])
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    complain(
      'An endpoint is missing.',
      'Name authorization_endpoint and token_endpoint.',
      clientsThat.everyone,
    )
    return { findings, server: undefined }
  }
  for (const endpoint of [authorizationEndpoint, tokenEndpoint]) {
    const url = URL.parse(endpoint)
    if (url === null || (url.protocol !== 'https:' && !isLoopback(url))) {
      complain(
        `${endpoint} is not https.`,
        'Serve it over TLS, behind a proxy that says so.',
        clientsThat.everyone,
      )
    }
  }
  if (!texts(document['code_challenge_methods_supported']).includes('S256')) {
    complain(
      'code_challenge_methods_supported does not list S256.',
      'List it: clients refuse a server that does not say it takes PKCE.',
      clientsThat.everyone,
    )
  }
  const authMethods = texts(document['token_endpoint_auth_methods_supported'])
  if (!authMethods.includes('none')) {
    remark(
      'public-clients',
      'Clients without a secret are welcome',
      'token_endpoint_auth_methods_supported does not list none.',
      'List none: programs on a computer cannot keep a secret, and Claude uses its metadata document only then.',
      [...clientsThat.registerThemselves, ...clientsThat.useMetadataDocuments].filter(
        (client) => client !== 'ChatGPT' || !authMethods.includes('private_key_jwt'),
      ),
    )
  }
  const grants = document['grant_types_supported']
  if (grants !== undefined && !texts(grants).includes('refresh_token')) {
    remark(
      'refresh',
      'Tokens can be refreshed',
      'grant_types_supported does not list refresh_token.',
      'Offer it, or people log in again each time a token expires.',
      clientsThat.everyone,
    )
  }
  const registrationEndpoint = text(document['registration_endpoint'])
  const takesMetadataDocuments = document['client_id_metadata_document_supported'] === true
  findings.push(checkRegistrationOffers(registrationEndpoint, takesMetadataDocuments))
  const scopes = texts(document['scopes_supported'])
  if (scopes.length > 4) {
    remark(
      'server-scopes',
      'The authorization server lists few scopes',
      `It lists ${scopes.length}: ${scopes.join(' ')}.`,
      'List only what a client may need to begin with: some ask for all of them.',
      clientsThat.askForAllScopes,
    )
  }
  if (document['authorization_response_iss_parameter_supported'] !== true) {
    remark(
      'iss',
      'Answers name their issuer',
      'authorization_response_iss_parameter_supported is not true.',
      'Exchange iss with authorization responses (RFC 9207): it protects against mix-up, and will be required.',
      [],
    )
  }
  if (!hasCors) {
    remark(
      'server-cors',
      'Pages may read the metadata of the authorization server',
      'It has no Access-Control-Allow-Origin.',
      'Add Access-Control-Allow-Origin: * to it; it is public.',
      clientsThat.runInAPage,
    )
  }
  if (!findings.some(({ check }) => check === 'authorization-server')) {
    findings.unshift(
      ok('authorization-server', title, `${issuer}: issuer, endpoints and PKCE are as they should be.`),
    )
  }
  return {
    findings,
    server: {
      issuer,
      authorizationEndpoint,
      tokenEndpoint,
      registrationEndpoint,
      grantTypes: texts(grants),
    },
  }
}

function checkRegistrationOffers(endpoint: string | undefined, takesDocuments: boolean): Finding {
  const check = 'registration-offers'
  const what = 'Clients can introduce themselves'
  if (endpoint === undefined && !takesDocuments) {
    return failed(check, what, {
      detail: 'There is neither a registration_endpoint nor client ID metadata documents.',
      advice: 'Offer both, or people must register each client by hand.',
      clients: [...clientsThat.registerThemselves, ...clientsThat.useMetadataDocuments],
    })
  }
  if (endpoint === undefined) {
    return warning(check, what, {
      detail: 'Only by client ID metadata documents.',
      advice: 'Offer dynamic registration too: many clients know nothing else.',
      clients: clientsThat.registerThemselves,
    })
  }
  if (!takesDocuments) {
    return warning(check, what, {
      detail: 'Only by dynamic registration, which the protocol has deprecated.',
      advice: 'Take client ID metadata documents too.',
      clients: [],
    })
  }
  return ok(check, what, 'By dynamic registration and by client ID metadata documents.')
}
