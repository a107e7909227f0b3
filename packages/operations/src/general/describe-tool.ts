import { inputSchemaOf, operations, outputSchemaOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getTool } from './tool-names.ts'

export const describeTool = implement(operations.describeTool)((input) => {
  const operation = getTool(input.name)
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
