import { operations } from '@flamegate/contract'
import { flameGraphTree } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openProfile, sampleTypeIndex } from './decoded.ts'
import { findingFunctions } from './finding-functions.ts'

export const generateFlamegraph = implement(operations.generateFlamegraph)(async (input, context) => {
  const { record, tree } = await openProfile(context, input.profile_id)
  const index = sampleTypeIndex(tree, input.sample_type)
  const graph = findingFunctions(() =>
    flameGraphTree(tree, {
      sampleTypeIndex: index,
      maxNodes: input.max_nodes,
      rootFunctionName: input.root_function_name,
      inverted: input.inverted,
    }),
  )
  return {
    profile_id: record.id,
    sample_type: tree.sampleTypes[index]?.type ?? '',
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
  }
})
