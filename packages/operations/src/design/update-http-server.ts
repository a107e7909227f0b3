import { operations, Problem } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { reachableHosts } from '../targets/reachable-hosts.ts'
import { httpServerOnWire } from './on-wire.ts'
import { dotted, given, parseDesign } from './parse-design.ts'
import { getDesign } from './reaching.ts'
import { usersOfIds } from './usage.ts'
import { writeDesign } from './write-design.ts'

export const updateHttpServer = implement(operations.updateHttpServer)(async (input, context) => {
  const { http_server_id: id, if_version: ifVersion, verify_tls: verify, ...fields } = input
  const before = await getDesign(context, 'http_server', id)
  const changed = Object.keys(given({ ...fields, verify_tls: verify }))
  if (changed.length === 0) throw new Problem('invalid_input', 'Say what is to be changed of the server.')
  const { tls, ...rest } = parseDocument('http_server', before.document)
  const document = parseDesign(
    context,
    'http_server',
    { ...rest, ...given(fields), tls: { ...tls, ...given({ verify }) } },
    dotted,
  )
  const object = await writeDesign(
    context,
    before,
    { name: document.name, document, summary: { base_url: document.base_url } },
    { ifVersion, words: `Changed ${changed.join(', ')}` },
  )
  const isVerified = await reachableHosts(context, object.projectId)
  const usage = await usersOfIds(context, object.projectId, [object.id])
  return {
    project_id: object.projectId,
    http_server: httpServerOnWire(object, document, { isVerified, users: usage.get(object.id) }),
  }
})
