import type { Variable } from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'

/** No first line that names columns is longer. */
const firstLineBytesMax = 65_536

/** Names that the first line of a CSV file gives to its columns; none where there is no such file. */
export async function csvColumns(
  { caller, deps }: CallContext,
  projectId: string,
  variable: Extract<Variable, { type: 'csv' }>,
): Promise<string[]> {
  const file = await deps.stores.projectFiles.find(caller, projectId, variable.path)
  const content = file === undefined ? undefined : await deps.storage.open(file.storageKey)
  if (content === undefined) return []
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= firstLineBytesMax) break
  }
  const bytes = Buffer.concat(chunks).subarray(0, firstLineBytesMax)
  return columnsIn(new TextDecoder(variable.encoding).decode(bytes), variable)
}

/** The fields of the first line that is not skipped. */
function columnsIn(
  text: string,
  {
    delimiter,
    quote,
    skip_lines: skipped,
  }: Pick<Extract<Variable, { type: 'csv' }>, 'delimiter' | 'quote' | 'skip_lines'>,
): string[] {
  const line = text.split(/\r?\n/, skipped + 1)[skipped] ?? ''
  return line
    .split(delimiter)
    .map((field) => field.trim())
    .map((field) =>
      quote !== null && field.length > 1 && field.startsWith(quote) && field.endsWith(quote)
        ? field.slice(1, -1)
        : field,
    )
    .filter((field) => field !== '')
}
