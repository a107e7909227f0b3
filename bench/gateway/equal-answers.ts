/**
 * Whether two answers say the same, but for what does not belong to the content: ids of requests, and what one way of
 * writing a JSON schema says and another leaves to the default.
 */
export function equalAnswers(ours: string | undefined, theirs: string | undefined): boolean {
  if (ours === undefined || theirs === undefined) return false
  return JSON.stringify(contentOf(ours)) === JSON.stringify(contentOf(theirs))
}

interface Listed {
  name: string
  title?: string
  description?: string
  inputSchema: { properties?: Record<string, { description?: string }>; required?: string[] }
}

function contentOf(message: string): unknown {
  const { result } = JSON.parse(message)
  if (!Array.isArray(result.tools)) return result
  const tools: Listed[] = result.tools
  return tools.map(({ name, title, description, inputSchema: { properties = {}, required = [] } }) => ({
    name,
    title,
    description,
    required: required.toSorted(),
    properties: Object.entries(properties).map(([property, schema]) => [property, schema.description]),
  }))
}
