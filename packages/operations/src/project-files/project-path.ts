import { Problem } from '@flamegate/contract'
import { filePath } from '@flamegate/loadtest'

/** What virtual users read or send. Nothing that a computer would run by itself is among it. */
const endings = new Set(
  (
    'csv tsv psv txt text json jsonl ndjson xml yaml yml toml ini properties html htm md sql graphql gql proto ' +
    'pdf doc docx xls xlsx ppt pptx odt ods rtf epub png jpg jpeg gif webp avif bmp ico svg tif tiff heic ' +
    'mp3 wav ogg flac aac mp4 m4a m4v mov webm avi mpg mpeg zip gz tgz bz2 xz zst tar 7z bin dat pem crt cer key p12 pfx ' +
    'woff woff2 ttf otf ics vcf eml geojson gpx kml parquet avro'
  ).split(' '),
)

/**
 * A path that a project file may have, in the one form in which it is compared.
 * @throws Problem `invalid_input`
 */
export function readProjectPath(text: string): string {
  const path = filePath.safeParse(text.normalize('NFC'))
  if (!path.success) throw unusable(path.error.issues[0]?.message ?? 'Not a path.')
  if (/\p{Cc}/u.test(path.data)) throw unusable('Leave out control characters.')
  const ending = /\.([a-z0-9]+)$/i.exec(path.data)?.[1]?.toLowerCase()
  if (ending === undefined || !endings.has(ending)) {
    throw unusable(
      `Files of the type ${ending === undefined ? '(none)' : `.${ending}`} are not stored: data, documents, images, media and archives are. What is none of these can be named .bin.`,
    )
  }
  return path.data
}

function unusable(message: string): Problem {
  return new Problem('invalid_input', 'A project file cannot have this path: look at path.', {
    errors: [{ field: 'path', message }],
  })
}
