import { findOperation, inputSchemaOf, operations, outputSchemaOf, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'

export const describeTool = implement(operations.describeTool)((input) => {
  const operation = findOperation(input.name)
  if (operation === undefined || !operation.mcp) {
    throw new Problem(
      'tool_not_found',
      `There is no tool ${input.name}. find_tools finds one for a question.`,
    )
  }
  return Promise.resolve({
    name: operation.id,
    title: operation.title,
    description: operation.description,
    toolset: operation.toolset,
    effect: operation.effect,
    scopes: [...operation.scopes],
    rest: `${operation.http.method} ${operation.http.path}`,
    input_schema: inputSchemaOf(operation),
    output_schema: outputSchemaOf(operation),
    problems: [...operation.problems],
    examples: operation.examples.map(({ title, input: example }) => ({ title, input: example })),
  })
})
