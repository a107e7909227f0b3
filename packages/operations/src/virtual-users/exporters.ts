import {
  exportJmx,
  exportK6,
  writeArchive,
  type Archive,
  type Exported,
  type HttpServer,
  type Variable,
  type VirtualUser,
} from '@flamegate/loadtest'
import type { VirtualUserFormat, WrittenExport } from '../ports/virtual-user-writer.ts'

/** How each format is written of a virtual user with all it needs. */
export const exporters: Readonly<Record<VirtualUserFormat, (archive: Archive) => WrittenExport>> = {
  archive: (archive) => ({
    bytes: writeArchive(archive),
    contentType: 'application/zip',
    extension: '.zip',
    notes: [],
  }),
  jmx: (archive) => written(archive, exportJmx, '.jmx', 'application/xml'),
  k6: (archive) => written(archive, exportK6, '.js', 'text/javascript; charset=utf-8'),
}

/** Notes that are told of one export; more would not be read. */
const notesMax = 50

/** As the other tool has it: one virtual user, and what it cannot say as notes. */
function written(
  { virtualUsers, servers, variables }: Archive,
  exporter: (
    virtualUser: VirtualUser,
    servers: ReadonlyMap<string, HttpServer>,
    variables: readonly Variable[],
  ) => Exported,
  extension: string,
  contentType: string,
): WrittenExport {
  const [user] = virtualUsers
  if (user === undefined) throw new TypeError('There is no virtual user to write')
  const { text, notes } = exporter(
    user.document,
    new Map(servers.map(({ id, document }) => [id, document])),
    variables.map(({ document }) => document),
  )
  return {
    bytes: Buffer.from(text),
    contentType,
    extension,
    notes: notes
      .slice(0, notesMax)
      .map(({ actionId, text: note }) => (actionId === null ? note : `${note} (${actionId})`)),
  }
}
