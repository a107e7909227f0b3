import type { Identified, Importer, NewIdKind } from '../import/importer.ts'
import { readBytes } from '../import/read-source.ts'
import { ReportBuilder } from '../import/report.ts'
import { readArchive } from './read-archive.ts'
import { renameServers } from './rename-servers.ts'

const archiveBytesMax = 200_000_000

/**
 * What `writeArchive` wrote, under new ids. Nothing else in it changes: requests to hosts that are not verified stay enabled,
 * because the archive was made of something that was allowed to run, and what runs is judged anew.
 */
export const importArchive: Importer = async (source, options, context) => {
  const archive = await readArchive(await readBytes(source, archiveBytesMax))
  const builder = new ReportBuilder('archive')
  const renew = <Document extends { name: string }>(
    kind: NewIdKind,
    place: string,
    documents: readonly Identified<Document>[],
  ) =>
    documents.map(({ id, document }) => {
      const element = { place: `${place}/${id}.json`, kind: place, name: document.name, actionId: null }
      return { oldId: id, element, id: context.newId(kind), document }
    })

  const servers = renew('httpServer', 'http-servers', archive.servers)
  const newServerIds = new Map(servers.map(({ oldId, id }) => [oldId, id]))
  for (const { element, document } of servers) {
    builder.mapped(element)
    const host = hostOf(document.base_url)
    if (host !== undefined && !context.isVerified(host))
      builder.note(`${host} is not verified here: requests to it are refused until verify_target knows it.`)
  }
  const virtualUsers = renew('virtualUser', 'virtual-users', archive.virtualUsers).map(
    ({ id, element, document }) => {
      const renamed = renameServers(document, newServerIds)
      if (archive.virtualUsers.length === 1 && options.name !== undefined) renamed.name = options.name
      if (document.recording_id === null) builder.mapped(element)
      else builder.approximated(element, 'Its recording is no part of an archive.')
      return { id, document: { ...renamed, recording_id: null } }
    },
  )
  const variables = renew('variable', 'variables', archive.variables)
  for (const { element, document } of variables) {
    if (document.type !== 'secret') builder.mapped(element)
    else builder.approximated(element, 'Secrets never leave a project. Give this one its value.')
  }
  const rules = renew('correlationRule', 'correlation-rules', archive.rules)
  for (const { element } of rules) builder.mapped(element)
  for (const { path } of archive.files)
    builder.mapped({ place: `files/${path}`, kind: 'files', name: path, actionId: null })
  for (const name of archive.strangers)
    builder.dropped({ place: name, kind: 'entry', name }, 'It is no part of an archive of ours.')
  return {
    virtualUsers,
    servers: servers.map(({ id, document }) => ({ id, document })),
    variables: variables.map(({ id, document }) => ({ id, document })),
    rules: rules.map(({ id, document }) => ({ id, document })),
    files: archive.files,
    report: builder.report,
  }
}

/** Undefined where a variable says it. */
function hostOf(url: string): string | undefined {
  return url.includes('${') ? undefined : URL.parse(url)?.host
}
