import { filePath } from '../model/template.ts'

/** What virtual users read or send, and the scripts of other engines, of which the last ones are. No programs are among it. */
const endings = new Set(
  (
    'csv tsv psv txt text json jsonl ndjson xml yaml yml toml ini properties html htm md sql graphql gql proto ' +
    'pdf doc docx xls xlsx ppt pptx odt ods rtf epub png jpg jpeg gif webp avif bmp ico svg tif tiff heic ' +
    'mp3 wav ogg flac aac mp4 m4a m4v mov webm avi mpg mpeg zip gz tgz bz2 xz zst tar 7z bin dat pem crt cer key p12 pfx ' +
    'woff woff2 ttf otf ics vcf eml geojson gpx kml parquet avro ' +
    'js mjs cjs ts jmx groovy'
  ).split(' '),
)

/** Whether a project keeps files of the type that the end of a path says: `users.csv`. */
export function hasStoredEnding(path: string): boolean {
  return endings.has(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}

/**
 * Path of a project file for a file that a source names by its own path, on a machine that is not ours: its last part, with `.bin` behind
 * what a project would not keep.
 * @param folder of the project, in which it is; with '' it is in none
 */
export function projectPath(path: string, folder = 'uploads'): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== '' && part !== '.' && part !== '..') ?? 'file'
  const inFolder = (name: string) => {
    const whole = folder === '' ? name : `${folder}/${name}`
    return hasStoredEnding(name) ? whole : `${whole}.bin`
  }
  const whole = inFolder(last.replaceAll('\0', '').slice(-150))
  return filePath.safeParse(whole).success ? whole : inFolder('file')
}
