import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { ask } from './asking.ts'
import { findingFunctions } from './finding-functions.ts'

export const generateFlamegraph = implement(operations.generateFlamegraph)(async (input, context) => {
  const record = await getProfile(context, input.profile_id)
  const graph = await findingFunctions(
    ask(context, record, input, 'flameGraph', {
      maxNodes: input.max_nodes,
      rootFunctionName: input.root_function_name,
      inverted: input.inverted,
    }),
  )
  return {
    profile_id: record.id,
    sample_type: graph.sampleType,
    unit: graph.unit,
    total_value: graph.totalValue,
    functions: graph.names.map((name, function_) => ({
      name,
      file: graph.files[function_] || null,
      origin: graph.origins[function_] ?? 'Unknown',
    })),
    nodes: {
      parent: [...graph.nodes.parent],
      function: [...graph.nodes.nameIndex],
      self: [...graph.nodes.self],
      total: [...graph.nodes.total],
    },
    omitted_node_count: graph.omittedNodes,
    truncated: graph.truncated,
    note: graph.note,
  }
})
