import { parseDocument, type SanityContext } from '@flamegate/loadtest'
import { isUnsetSecret } from '../design/secrets.ts'
import type { Reading } from '../implement.ts'

/** Of a project; more are not looked at. */
const filesMax = 10_000

/** What the design of a project's virtual users is held against. */
export async function sanityContextOf({ caller, deps }: Reading, projectId: string): Promise<SanityContext> {
  const { designs, projectFiles } = deps.stores
  const servers = await designs.listDocuments(caller, projectId, 'http_server')
  const variables = await designs.listDocuments(caller, projectId, 'variable')
  const files = await projectFiles.listVersions(caller, projectId, filesMax)
  return {
    servers: new Map(servers.map((server) => [server.id, parseDocument('http_server', server.document)])),
    variables: variables.map((variable) => parseDocument('variable', variable.document)),
    unsetSecrets: new Set(variables.filter(isUnsetSecret).map(({ name }) => name)),
    files: new Map(
      files.filter(({ isCurrent }) => isCurrent).map(({ name, sizeBytes }) => [name, sizeBytes]),
    ),
  }
}
