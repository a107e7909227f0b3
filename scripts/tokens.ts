// `npm run tokens`: what the list of tools costs a model at each address, in tokens of o200k_base.
import { toolTokens } from './reference/tool-tokens.ts'

console.table(
  Object.fromEntries(
    toolTokens().map(({ address, tools, tokens, goal }) => [address, { tools, tokens, goal }]),
  ),
)
