import { type AnswerOf, operations } from '@flamegate/contract'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOptions } from '../api.ts'
import { type FlameTree, layOutTree } from '../flame-graph/flame-tree.ts'
import { loadColumns, type LoadProgress } from '../flame-graph/load-columns.ts'

/** From so many nodes on, a profile comes as columns, through a worker: as JSON it would hold up the page. */
const manyNodes = 20_000
/** A large tree takes 50 bytes per node. */
const keptMs = 60_000

export interface ShownTree {
  tree: FlameTree
  sampleType: string
  unit: string
  note: string | null
  omittedNodes: number
}

interface Asked {
  profile_id: string
  inverted: boolean
  sample_type?: string
  labels?: string[]
  from_ms?: number
  to_ms?: number
  root_function_name?: string
}

/** The call tree of a profile, laid out; and how much of it has come, where that takes a while. */
export function useFlameTree(
  asked: Asked,
  nodeCount: number,
): { query: UseQueryResult<ShownTree>; progress: LoadProgress | undefined } {
  const isLarge = nodeCount > manyNodes
  const [progress, setProgress] = useState<LoadProgress>()
  const graph = useQuery({
    ...answerOptions(operations.generateFlamegraph, { ...asked, max_nodes: manyNodes }),
    enabled: !isLarge,
    placeholderData: keepPreviousData,
    select: shownTree,
  })
  const columns = useQuery<ShownTree>({
    queryKey: [operations.getFlamegraphColumns.id, asked],
    queryFn: async ({ signal }) => {
      const loaded = await loadColumns(asked, { signal, onProgress: setProgress })
      setProgress(undefined)
      return { ...loaded, omittedNodes: 0 }
    },
    enabled: isLarge,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: keptMs,
    structuralSharing: false,
  })
  return { query: isLarge ? columns : graph, progress }
}

function shownTree(graph: AnswerOf<typeof operations.generateFlamegraph>): ShownTree {
  return {
    tree: layOutTree(graph),
    sampleType: graph.sample_type,
    unit: graph.unit,
    note: graph.note,
    omittedNodes: graph.omitted_node_count,
  }
}
