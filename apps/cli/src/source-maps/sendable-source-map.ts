import { z } from 'zod'

/** What is read of a map, and nothing else: tools put the text of sources into fields of their own, too. */
const plainMap = z.object({
  version: z.literal(3),
  sourceRoot: z.unknown().optional(),
  sources: z.array(z.unknown()),
  names: z.array(z.unknown()).optional(),
  mappings: z.string(),
})
const mapOfSections = z.object({
  version: z.literal(3),
  sections: z.array(z.object({ offset: z.object({ line: z.number(), column: z.number() }), map: plainMap })),
})
const sourceMap = z.union([plainMap, mapOfSections])

/**
 * A source map as it is sent: paths, names and mappings, without what sources hold, and the script that it is of. Undefined
 * when it is none.
 */
export function sendableSourceMap(bytes: Uint8Array, script: string): string | undefined {
  const read = sourceMap.safeParse(parsed(Buffer.from(bytes).toString()))
  return read.success ? JSON.stringify({ ...read.data, file: script }) : undefined
}

function parsed(text: string): unknown {
  try {
    // Some begin with what keeps them from being taken for a script.
    return JSON.parse(text.replace(/^\)\]\}'[^\n]*/, ''))
  } catch {
    return undefined
  }
}
