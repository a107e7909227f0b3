/**
 * A copy of a document's part in which every text that is a template is filled in. Names of fields that are no templates are
 * left alone.
 */
export async function fillTemplates<Part>(
  part: Part,
  expand: (template: string) => Promise<string>,
): Promise<Part> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy has the form of what it was made of
  return (await filled(part, expand)) as Part
}

/** These say which kind something is, and are never templates. */
const plain = new Set([
  'id',
  'type',
  'by',
  'state',
  'what',
  'comparison',
  'button',
  'to',
  'load_state',
  'server_id',
  'variable',
])

async function filled(value: unknown, expand: (template: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return value.includes('${') ? expand(value) : value
  if (Array.isArray(value)) return Promise.all(value.map((each) => filled(each, expand)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([key, each]): Promise<[string, unknown]> => [
    key,
    plain.has(key) ? each : await filled(each, expand),
  ])
  return Object.fromEntries(await Promise.all(entries))
}
