import type { JsonObject } from './json.ts'

const ends = new Set([')', '|'])

/** A document out of a drawing: `a box(b c) if?(d | e)`, where what has a bar is an if. */
export function treeOf(drawing: string): JsonObject {
  const tokens = drawing.match(/[^\s()|]+|[()|]/g) ?? []
  const list = (): JsonObject[] => {
    const actions: JsonObject[] = []
    while (tokens.length > 0 && !ends.has(tokens[0] ?? '')) actions.push(action())
    return actions
  }
  const action = (): JsonObject => {
    const id = tokens.shift() ?? ''
    if (tokens[0] !== '(') return { id, type: 'delay', name: id, enabled: true }
    tokens.shift()
    const actions = list()
    const isIf = tokens.shift() === '|'
    const rest = isIf ? { else_actions: list() } : {}
    if (isIf) tokens.shift()
    return { id, type: isIf ? 'if' : 'container', name: id, enabled: true, actions, ...rest }
  }
  return { schema_version: 1, name: 'Buyer', tags: [], actions: list() }
}
