import { defaultImportOptions, type ImportOptions } from '../../../packages/loadtest/src/import/importer.ts'
import { jsonMutations } from '../fuzzing/json-mutations.ts'
import { makeChanged } from '../fuzzing/make-changed.ts'
import type { Mutation } from '../fuzzing/mutation.ts'
import type { Originals } from '../fuzzing/originals.ts'
import type { Random } from '../fuzzing/random.ts'
import type { Input } from '../fuzzing/subject.ts'
import { textMutations } from '../fuzzing/text-mutations.ts'
import { encodingMutations } from './encoding-mutations.ts'
import { nestedMutations } from './nested-mutations.ts'
import { scriptMutations, yamlMutations } from './script-mutations.ts'
import { xmlMutations } from './xml-mutations.ts'
import { zipBombs, zipMutations } from './zip-mutations.ts'

export interface SourceInput extends Input {
  options: ImportOptions
  /** Bytes come in pieces of this size, as from a network. */
  pieceBytes: number
}

/** A source, changed once or up to five times, and what was chosen for its import. */
export function makeSourceInput(originals: Originals, format: string, random: Random): SourceInput {
  const bytes = makeChanged(originals, format, random, {
    of: (source) => mutationsFor(source, format),
    wrappers: format === 'archive' ? zipBombs : encodingMutations,
  })
  const chosen: Partial<ImportOptions> =
    random.below(2) === 0
      ? {}
      : {
          browser: random.pick(['page', 'http']),
          resources: random.pick(['embedded', 'requests', 'dropped']),
          thinkTimes: random.pick(['recorded', 'none']),
          baseUrl: random.pick(['', 'https://shop.example.com', 'http://127.0.0.1:8080/base/']) || undefined,
          name: random.pick(['', 'Buyer']) || undefined,
          timeline: random.pick([[], [{ at: '2026-11-22T09:56:49.000Z', name: 'Order' }]]),
        }
  return {
    bytes,
    how: Object.keys(chosen).length === 0 ? '' : JSON.stringify(chosen),
    options: { ...defaultImportOptions, ...chosen },
    pieceBytes: random.pick([97, 4096, 65_536]),
  }
}

const ofJson = [...jsonMutations, ...nestedMutations]
const ofXml = [...xmlMutations, ...textMutations]
const ofYaml = [...yamlMutations, ...textMutations]
const ofScripts = [...scriptMutations, ...textMutations]

/** Those that know what the bytes are. */
function mutationsFor(bytes: Uint8Array, format: string): readonly Mutation[] {
  if (format === 'archive') return zipMutations
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return ofJson
  if (bytes[0] === 0x3c) return ofXml
  return format === 'openapi' ? ofYaml : ofScripts
}
