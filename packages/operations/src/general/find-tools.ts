import { catalogue, operations, type Operation } from '@flamegate/contract'
import { implement } from '../implement.ts'

export const findTools = implement(operations.findTools)((input) => {
  const words = input.query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const tools = catalogue
    .filter(
      (operation) => operation.mcp && (input.toolset === undefined || operation.toolset === input.toolset),
    )
    .map((operation) => ({ operation, score: score(operation, words) }))
    .filter(({ score: value }) => words.length === 0 || value > 0)
    // The sort is stable, so equal scores keep the order of the catalogue.
    .toSorted((a, b) => b.score - a.score)
    .slice(0, input.limit)
    .map(({ operation }) => ({
      name: operation.id,
      title: operation.title,
      toolset: operation.toolset,
      effect: operation.effect,
      description: operation.description,
    }))
  return Promise.resolve({ tools })
})

/** A word counts 4 in the name, 3 in the title, 1 in the description. */
function score(operation: Operation, words: readonly string[]): number {
  const places: [string, number][] = [
    [operation.id, 4],
    [operation.title.toLowerCase(), 3],
    [operation.description.toLowerCase(), 1],
  ]
  return words.reduce(
    (sum, word) =>
      sum + places.reduce((inner, [text, weight]) => inner + (text.includes(word) ? weight : 0), 0),
    0,
  )
}
