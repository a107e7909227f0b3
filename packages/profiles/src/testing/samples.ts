import { readdirSync, readFileSync } from 'node:fs'

const folder = `${import.meta.dirname}/../../samples`

/** The bytes of a file in `samples/`, made by the scripts that are there. */
export function sample(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(`${folder}/${path}`))
}

export function sampleText(path: string): string {
  return readFileSync(`${folder}/${path}`, 'utf8')
}

/** One path per profile in `samples/`; texts in `samples/pprof` and `samples/jfr` are what other tools say about them. */
export function samplePaths(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('/') && !/^(pprof|jfr)\/.*\.txt$/.test(path))
    .toSorted()
}
