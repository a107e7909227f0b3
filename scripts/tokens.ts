// `npm run tokens`: what the list of tools costs a model at each address, and each guide, in tokens of o200k_base.
import { guideTokens } from './reference/guide-tokens.ts'
import { toolTokens } from './reference/tool-tokens.ts'

console.table(
  Object.fromEntries(
    toolTokens().map(({ address, tools, tokens, goal }) => [address, { tools, tokens, goal }]),
  ),
)
console.table(Object.fromEntries(guideTokens().map(({ name, tokens, goal }) => [name, { tokens, goal }])))
