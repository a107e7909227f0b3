import { Problem } from '@flamegate/contract'
import {
  filesOf,
  neededVariables,
  parseDocument,
  serversOf,
  type Archive,
  type DocumentKind,
  type DocumentOf,
  type Identified,
  type ImportedFile,
} from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'

/** Bytes of files in one archive, at most: they are in memory when it is written. */
const filesBytesMax = 200_000_000

export interface GatheredArchive {
  archive: Archive
  /** What could not be put into it. */
  notes: string[]
}

/** A virtual user with the servers, variables and files that it needs, and the rules of its project. */
export async function gatherArchive(context: CallContext, object: DesignObject): Promise<GatheredArchive> {
  const { caller, deps } = context
  const { projectId } = object
  const all = async <Kind extends DocumentKind>(kind: Kind): Promise<Identified<DocumentOf<Kind>>[]> => {
    const objects = await deps.stores.designs.listDocuments(caller, projectId, kind)
    return objects.map(({ id, document }) => ({ id, document: parseDocument(kind, document) }))
  }
  const document = parseDocument('virtual_user', object.document)
  const [servers, variables, rules] = await Promise.all([
    all('http_server'),
    all('variable'),
    all('correlation_rule'),
  ])
  const serverIds = serversOf(document)
  const usedServers = servers.filter(({ id }) => serverIds.has(id))
  const needed = new Set(
    neededVariables(
      [document, ...usedServers.map((server) => server.document)],
      variables.map((variable) => variable.document),
    ),
  )
  const usedVariables = variables.filter((variable) => needed.has(variable.document))
  const { files, notes } = await readFiles(context, projectId, filesOf(document, [...needed]))
  if (usedVariables.some((variable) => variable.document.type === 'secret'))
    notes.push('Values of secrets are not in it.')
  if (document.recording_id !== null) notes.push('Its recording is not in it.')
  return {
    archive: {
      virtualUsers: [{ id: object.id, document }],
      servers: usedServers,
      variables: usedVariables,
      rules,
      files,
    },
    notes,
  }
}

async function readFiles(
  { caller, deps }: CallContext,
  projectId: string,
  paths: ReadonlySet<string>,
): Promise<{ files: ImportedFile[]; notes: string[] }> {
  const files: ImportedFile[] = []
  const notes: string[] = []
  let bytesLeft = filesBytesMax
  for (const path of paths) {
    // oxlint-disable no-await-in-loop -- one after the other, until they are too many
    const file = await deps.stores.projectFiles.find(caller, projectId, path)
    if (file === undefined) {
      notes.push(`The project has no file ${path}, which it needs.`)
      continue
    }
    bytesLeft -= file.sizeBytes
    if (bytesLeft < 0) {
      throw new Problem(
        'too_large',
        `The files that it needs have more than ${filesBytesMax / 1e6} MB together, which no archive takes. Move ${path} yourself, with download_file.`,
      )
    }
    const bytes = await deps.storage.read(file.storageKey, { maxBytes: filesBytesMax })
    files.push({ path, contentType: file.contentType, bytes })
    // oxlint-enable no-await-in-loop
  }
  return { files, notes }
}
