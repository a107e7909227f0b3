import { z } from 'zod'
import { SourceError } from '../import/importer.ts'
import { jsonExcess } from '../json/json-excess.ts'
import { documentLevelsMax } from '../model/action.ts'
import { filePath } from '../model/template.ts'
import { DocumentError, type DocumentKind, type DocumentOf, parseDocument } from '../patch/parse-document.ts'
import { type Archive, archiveFormat, archiveVersion, filesFolder, manifestName } from './archive.ts'
import { readZip, zipLimits, type ZippedFile } from './read-zip.ts'

const manifestSchema = z.object({
  format: z.literal(archiveFormat),
  version: z.int(),
  files: z.array(z.object({ path: filePath, content_type: z.string().max(200) })),
})

/** Of a document in JSON, which takes many times its size when it is read. */
const documentBytesMax = 50_000_000

export interface ReadArchive extends Archive {
  /** Names of entries that belong to no archive; they are left out. */
  strangers: string[]
}

/** What `writeArchive` wrote. @throws SourceError that names the entry */
export async function readArchive(bytes: Uint8Array): Promise<ReadArchive> {
  const archive: ReadArchive = {
    virtualUsers: [],
    servers: [],
    variables: [],
    rules: [],
    files: [],
    strangers: [],
  }
  const contentTypes = new Map<string, string>()
  let isManifestThere = false
  for await (const file of readZip(bytes, bytesMaxOf)) {
    if (file.name === manifestName) {
      isManifestThere = true
      for (const { path, content_type: contentType } of readManifest(file).files)
        contentTypes.set(path, contentType)
    } else take(archive, file)
  }
  if (!isManifestThere)
    throw new SourceError(
      `It has no ${manifestName}: it is no archive of ours. Choose the format that it has.`,
    )
  for (const file of archive.files) file.contentType = contentTypes.get(file.path) ?? file.contentType
  return archive
}

function bytesMaxOf(name: string): number {
  return name.startsWith(filesFolder) ? zipLimits.entryBytes : documentBytesMax
}

function readManifest(file: ZippedFile) {
  const { success, data } = manifestSchema.safeParse(readJson(file))
  if (!success) throw new SourceError('It is no manifest of an archive of ours.', file.name)
  if (data.version > archiveVersion)
    throw new SourceError(
      `The archive is of a later version (${data.version}). Update this installation.`,
      file.name,
    )
  return data
}

function take(archive: ReadArchive, file: ZippedFile): void {
  const { name, bytes } = file
  if (name.startsWith(filesFolder)) {
    const path = name.slice(filesFolder.length)
    if (!filePath.safeParse(path).success) throw new SourceError('It is no path of a project file.', name)
    archive.files.push({ path, contentType: 'application/octet-stream', bytes })
    return
  }
  const [, folder, id = ''] = /^([a-z-]+)\/([\w-]{1,64})\.json$/.exec(name) ?? []
  switch (folder) {
    case 'virtual-users':
      archive.virtualUsers.push({ id, document: readDocument('virtual_user', file) })
      break
    case 'http-servers':
      archive.servers.push({ id, document: readDocument('http_server', file) })
      break
    case 'variables':
      archive.variables.push({ id, document: readDocument('variable', file) })
      break
    case 'correlation-rules':
      archive.rules.push({ id, document: readDocument('correlation_rule', file) })
      break
    default:
      archive.strangers.push(name)
  }
}

function readDocument<Kind extends DocumentKind>(kind: Kind, file: ZippedFile): DocumentOf<Kind> {
  try {
    return parseDocument(kind, readJson(file))
  } catch (error) {
    if (error instanceof DocumentError) throw new SourceError(error.message, file.name)
    throw error
  }
}

function readJson({ name, bytes }: ZippedFile): unknown {
  const text = new TextDecoder().decode(bytes)
  const excess = jsonExcess(text, documentLevelsMax)
  if (excess !== undefined) throw new SourceError(excess, name)
  try {
    return JSON.parse(text)
  } catch {
    throw new SourceError('It is no JSON.', name)
  }
}
