import { catalogue, findOperation, operations, Problem, type Operation } from '@flamegate/contract'

const shownMax = 3

/**
 * The operation behind a tool's name.
 * @throws Problem `tool_not_found`, with the names that look most like it
 */
export function getTool(name: string): Operation {
  const operation = findOperation(name)
  if (operation?.mcp === true) return operation
  const similar = similarTools(name)
  const question = similar.length === 0 ? '' : ` Did you mean ${similar.join(', ')}?`
  throw new Problem('tool_not_found', `There is no tool ${name}.${question}`, {
    hint: [operations.findTools, 'finds one for a question'],
  })
}

/** Names of tools that share words, or most of their letters, with `name`; the most similar first, three at most. */
export function similarTools(name: string): string[] {
  const wanted = pairsOf(name)
  return catalogue
    .filter((operation) => operation.mcp)
    .map(({ id }) => ({ id, likeness: likeness(wanted, pairsOf(id)) }))
    .filter(({ likeness: value }) => value >= 0.4)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, shownMax)
    .map(({ id }) => id)
}

/** Sørensen–Dice coefficient: twice what both have, divided by what each has. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size)
}

/** Pairs of neighbouring letters, within each word. */
function pairsOf(name: string): Set<string> {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return new Set(
    (words ?? []).flatMap((word) =>
      Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)),
    ),
  )
}
