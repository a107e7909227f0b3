import { operations } from '@flamegate/contract'
import { flameGraphTree } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { openSelection } from './decoded.ts'
import { findingFunctions } from './finding-functions.ts'

export const generateFlamegraph = implement(operations.generateFlamegraph)(async (input, context) => {
  const profile = await getProfile(context, input.profile_id)
  const { record, tree, sampleTypeIndex } = await openSelection(context, profile, input)
  const graph = findingFunctions(() =>
    flameGraphTree(tree, {
      sampleTypeIndex,
      maxNodes: input.max_nodes,
      rootFunctionName: input.root_function_name,
      inverted: input.inverted,
    }),
  )
  return {
    profile_id: record.id,
    sample_type: tree.sampleTypes[sampleTypeIndex]?.type ?? '',
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
