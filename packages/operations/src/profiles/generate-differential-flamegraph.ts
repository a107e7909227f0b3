import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { openComparison } from './open-comparison.ts'

export const generateDifferentialFlamegraph = implement(operations.generateDifferentialFlamegraph)(async (
  input,
  context,
) => {
  const { comparison, basis } = await openComparison(context, input, {
    limit: 0,
    graphNodes: input.max_nodes,
  })
  const { functions, nodes, omittedNodes } = comparison.graph!
  return {
    ...basis,
    functions: functions.map(({ name, file, origin }) => ({ name, file: file || null, origin })),
    nodes: {
      parent: nodes.parent,
      function: nodes.function,
      base_self: nodes.baseSelf,
      base_total: nodes.baseTotal,
      head_self: nodes.headSelf,
      head_total: nodes.headTotal,
    },
    omitted_node_count: omittedNodes,
  }
})
