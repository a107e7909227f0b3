import { parseDocument } from '@flamegate/loadtest'
import type { BenchPlan } from '../ports/index.ts'

/** Whether agents get values of variables that they share, each its own part of them. */
export function dealsValues({ variables }: Pick<BenchPlan, 'variables'>): boolean {
  return variables.some((document) => {
    const variable = parseDocument('variable', document)
    switch (variable.type) {
      case 'csv':
        return (
          variable.order === 'unique' || (variable.order === 'sequential' && variable.sharing === 'shared')
        )
      case 'list':
        return variable.order === 'sequential' && variable.sharing === 'shared'
      case 'counter':
        return variable.sharing === 'shared'
      default:
        return false
    }
  })
}
