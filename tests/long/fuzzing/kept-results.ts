import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { importerResult, type ImporterResult } from './importer-result.ts'

/** What a run before, of the same seed and number of inputs, found of some formats; a line of JSON for each. */
export class KeptResults {
  readonly results: ImporterResult[]
  private readonly path: string

  constructor(path: string, { seed, inputs }: { seed: number; inputs: number }) {
    this.path = `${path}.${seed}.${inputs}`
    const lines = existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n').filter(Boolean) : []
    this.results = lines.map((line) => importerResult.parse(JSON.parse(line)))
  }

  add(result: ImporterResult): void {
    appendFileSync(this.path, `${JSON.stringify(result)}\n`)
  }
}
