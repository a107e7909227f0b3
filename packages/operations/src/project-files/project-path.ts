import { Problem } from '@flamegate/contract'
import { filePath, hasStoredEnding } from '@flamegate/loadtest'

/**
 * A path that a project file may have, in the one form in which it is compared.
 * @throws Problem `invalid_input`
 */
export function readProjectPath(text: string): string {
  const path = filePath.safeParse(text.normalize('NFC'))
  if (!path.success) throw unusable(path.error.issues[0]?.message ?? 'Not a path.')
  if (/\p{Cc}/u.test(path.data)) throw unusable('Leave out control characters.')
  if (!hasStoredEnding(path.data)) {
    const ending = /\.([a-z0-9]+)$/i.exec(path.data)?.[1]?.toLowerCase()
    throw unusable(
      `Files of the type ${ending === undefined ? '(none)' : `.${ending}`} are not stored: data, documents, images, media, archives and scripts of k6 and JMeter are. What is none of these can be named .bin.`,
    )
  }
  return path.data
}

function unusable(message: string): Problem {
  return new Problem('invalid_input', 'A project file cannot have this path: look at path.', {
    errors: [{ field: 'path', message }],
  })
}
