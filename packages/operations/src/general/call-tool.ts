import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getTool } from './tool-names.ts'

export const callTool = implement(operations.callTool)(async (input, { call }) => {
  const operation = getTool(input.name)
  if (operation.id === operations.callTool.id) {
    throw new Problem('tool_not_found', `${operation.id} calls other tools, not itself.`)
  }
  return { tool: operation.id, answer: await call(operation, input.arguments) }
})
