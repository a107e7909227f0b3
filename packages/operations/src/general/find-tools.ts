import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { searchTools } from './tool-search.ts'

export const findTools = implement(operations.findTools)((input) => {
  const tools = searchTools(input.query)
    .filter(({ toolset }) => input.toolset === undefined || toolset === input.toolset)
    .slice(0, input.limit)
    .map(({ id, title, toolset, effect, description }) => ({ name: id, title, toolset, effect, description }))
  return Promise.resolve({ tools })
})
