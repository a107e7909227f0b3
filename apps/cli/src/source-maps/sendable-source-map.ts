import { z } from 'zod'

const contents = {
  sourcesContent: z
    .unknown()
    .transform(() => undefined)
    .optional(),
}
const plainMap = z.looseObject({ version: z.literal(3), mappings: z.string(), ...contents })
const mapOfSections = z.looseObject({
  version: z.literal(3),
  sections: z.array(z.looseObject({ map: plainMap })),
})
const sourceMap = z.union([plainMap, mapOfSections])

/**
 * A source map as it is sent: without the contents of sources, and with the script that it is of. Undefined when it is none.
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
