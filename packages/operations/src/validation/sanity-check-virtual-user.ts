import { operations } from '@flamegate/contract'
import { parseDocument, sanityCheck, walkActions } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { readVirtualUser } from './reaching.ts'

/** Of a project; more are not looked at. */
const filesMax = 10_000

export const sanityCheckVirtualUser = implement(operations.sanityCheckVirtualUser)(async (input, context) => {
  const { caller, deps } = context
  const { object, document } = await readVirtualUser(context, input.virtual_user_id)
  const { designs, projectFiles } = deps.stores
  const servers = await designs.listDocuments(caller, object.projectId, 'http_server')
  const variables = await designs.listDocuments(caller, object.projectId, 'variable')
  const files = await projectFiles.listVersions(caller, object.projectId, filesMax)
  const findings = sanityCheck(document, {
    servers: new Map(servers.map((server) => [server.id, parseDocument('http_server', server.document)])),
    variables: variables.map((variable) => parseDocument('variable', variable.document)),
    files: new Map(
      files.filter(({ isCurrent }) => isCurrent).map(({ name, sizeBytes }) => [name, sizeBytes]),
    ),
  })
  const names = new Map([...walkActions(document)].map(({ action }) => [action.id, action.name]))
  return {
    virtual_user_id: object.id,
    version: object.version,
    findings: findings.map(({ grade, code, actionId, words, advice }) => ({
      grade,
      code,
      action_id: actionId,
      action_name: actionId === null ? null : (names.get(actionId) ?? null),
      message: words,
      advice,
    })),
  }
})
