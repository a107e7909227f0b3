import { fromAPage, jsonObject, outcome, text, texts } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import { clientsThat, failed, ok, warning } from '../finding.ts'
import type { Finding } from '../finding.ts'
import { resourceMetadataUrls } from '../well-known.ts'

/** Protected-resource metadata, as far as it is needed (RFC 9728, 2). */
export interface ResourceMetadata {
  resource: string
  authorizationServer: string
  scopes: string[]
}

const title = 'The protected-resource metadata fits'

/** Reads the metadata where the 401 says it is, or where clients guess. */
export async function checkResourceMetadata(
  send: Exchange,
  url: string,
  named: string | undefined,
): Promise<{ findings: Finding[]; metadata: ResourceMetadata | undefined }> {
  const places = [...new Set([...(named === undefined ? [] : [named]), ...resourceMetadataUrls(url)])]
  const found = await Promise.all(
    places.map(async (place) => {
      const answer = await send({ method: 'GET', url: place, headers: fromAPage })
      return { place, answer, document: answer.status === 200 ? jsonObject(answer) : undefined }
    }),
  )
  const usable = found.find(({ document }) => document !== undefined)
  if (usable?.document === undefined) {
    const detail = found.map(({ place, answer }) => `${place} ${outcome(answer)}`).join('; ')
    return { metadata: undefined, findings: [missing(detail)] }
  }
  const { document, answer } = usable
  const findings: Finding[] = []
  if (named !== undefined && usable.place !== named) {
    findings.push(
      failed('resource-metadata-place', 'The metadata is where the 401 says', {
        detail: `There is none at ${named}, but at ${usable.place}.`,
        advice: 'Serve it at the address in resource_metadata.',
        clients: clientsThat.everyone,
      }),
    )
  }
  findings.push(checkResource(url, text(document['resource'])))
  if (answer.headers['access-control-allow-origin'] === undefined) {
    findings.push(
      warning('resource-metadata-cors', 'Pages may read the metadata', {
        detail: `${usable.place} has no Access-Control-Allow-Origin.`,
        advice: 'Add Access-Control-Allow-Origin: * to it; it is public.',
        clients: clientsThat.runInAPage,
      }),
    )
  }
  const scopes = texts(document['scopes_supported'])
  if (scopes.includes('offline_access')) {
    findings.push(
      warning('resource-scopes', 'The metadata lists the scopes of the resource', {
        detail: 'It lists offline_access, which is about the token and not about the resource.',
        advice: 'Leave it out here.',
        clients: [],
      }),
    )
  }
  const [authorizationServer] = texts(document['authorization_servers'])
  if (authorizationServer === undefined || !URL.canParse(authorizationServer)) {
    findings.push(
      failed('authorization-servers', 'The metadata names an authorization server', {
        detail: 'authorization_servers is empty or no list of addresses.',
        advice: 'List the issuer there.',
        clients: clientsThat.everyone,
      }),
    )
    return { metadata: undefined, findings }
  }
  const metadata = { resource: text(document['resource']) ?? url, authorizationServer, scopes }
  return { metadata, findings }
}

function missing(detail: string): Finding {
  return failed('resource-metadata', title, {
    detail: `There is no JSON document at any of the usual places. ${detail}.`,
    advice: 'Serve it under /.well-known/oauth-protected-resource followed by the path (RFC 9728).',
    clients: clientsThat.everyone,
  })
}

/** VS Code compares letter by letter what it was given, as a URL prints itself. */
function checkResource(url: string, resource: string | undefined): Finding {
  if (resource === undefined) {
    return failed('resource-metadata', title, {
      detail: 'It has no resource.',
      advice: 'Name the URL of the endpoint, exactly as people type it.',
      clients: clientsThat.everyone,
    })
  }
  if (resource === url || resource === new URL(url).href) {
    return ok('resource-metadata', title, `resource is ${resource}.`)
  }
  return failed('resource-metadata', title, {
    detail: `resource is ${resource}, not ${url}.`,
    advice: 'Make it equal to the URL that was typed, path and query included.',
    clients: covers(resource, url) ? clientsThat.compareResource : clientsThat.everyone,
  })
}

/** Clients on the official SDK take a resource that is above the URL, and no other. */
function covers(resource: string, url: string): boolean {
  const [above, below] = [URL.parse(resource), new URL(url)]
  return above?.origin === below.origin && folder(below).startsWith(folder(above))
}

function folder({ pathname }: URL): string {
  return pathname.endsWith('/') ? pathname : `${pathname}/`
}
