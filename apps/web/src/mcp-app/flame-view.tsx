import type { App } from '@modelcontextprotocol/ext-apps'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { FlameGraph } from '../flame-graph/flame-graph.tsx'
import { layOutTree, rowCount } from '../flame-graph/flame-tree.ts'
import { askGraph } from './ask-graph.ts'
import type { HostState, HostStore, ToolResult } from './host-state.ts'
import { selectionWords } from './selection-words.ts'
import { type Subject, subjectOf } from './subject.ts'
import { graphOf, pageOf, profileIdOf, textOf } from './tool-graph.ts'

/** The flame graph that belongs to a tool's result, in the conversation in which the tool was called. */
export function FlameView({ app, host }: { app: App; host: HostStore }) {
  const state = useSyncExternalStore(host.subscribe, host.get)
  const { result, isConnected, isCancelled } = state
  if (result?.isError === true) {
    return (
      <EmptyState title="There is nothing to show">
        <p>{textOf(result)}</p>
      </EmptyState>
    )
  }
  if (result !== undefined && isConnected) return <ResultView app={app} state={state} result={result} />
  return isCancelled ? <EmptyState title="The call was cancelled" /> : <SkeletonBlock height="20rem" />
}

function ResultView({ app, state, result }: { app: App; state: HostState; result: ToolResult }) {
  const { input, capabilities, context } = state
  const first = useMemo(
    () => ({
      graph: graphOf(result),
      page: pageOf(result),
      subject: subjectOf(input, profileIdOf(result)),
    }),
    [input, result],
  )
  const [chosen, choose] = useState<Subject>()
  const [search, setSearch] = useState('')
  const subject = chosen ?? first.subject
  const canAsk = capabilities.serverTools !== undefined && subject !== undefined
  const isAnswered = chosen === undefined && first.graph?.isOutline === false
  const query = useQuery({
    queryKey: ['graph', subject],
    queryFn: () => (subject === undefined ? Promise.reject(new TypeError()) : askGraph(app, subject)),
    enabled: canAsk && !isAnswered,
    staleTime: Infinity,
    retry: false,
    // What there is stays until more of it has come.
    placeholderData: (previous) => previous,
  })
  const { graph, page } = query.data ?? first
  const tree = useMemo(() => graph && layOutTree(graph.columns), [graph])
  const selection = subject !== undefined && 'selection' in subject ? subject.selection : undefined
  const change = (part: Partial<NonNullable<typeof selection>>) => {
    if (selection !== undefined) choose({ selection: { ...selection, ...part } })
  }
  const whose = `the flame graph of ${selection?.profile_id ?? 'the comparison'}${graph === undefined ? '' : ` (${graph.sampleType})`}`
  // Whoever drags the graph stays at the same function.
  const told = useRef('')
  const tellModel = (node: number) => {
    if (tree === undefined || graph === undefined || capabilities.updateModelContext === undefined) return
    const text = selectionWords(tree, node, graph.unit, whose)
    if (text === told.current) return
    told.current = text
    // The model does without it where the host does not take it.
    app.updateModelContext({ content: [{ type: 'text', text }] }).catch(() => undefined)
  }

  return (
    <main className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="grow font-semibold">
          {selection === undefined ? 'Differential flame graph' : 'Flame graph'}
          <span className="font-normal text-muted"> {graph?.sampleType}</span>
        </h1>
        {selection === undefined || !canAsk ? null : (
          <ToggleButton
            isSelected={selection.inverted === true}
            onChange={(inverted) => change({ inverted })}
          >
            Inverted
          </ToggleButton>
        )}
        <DisplayModeButton app={app} context={context} />
        {page === undefined || capabilities.openLinks === undefined ? null : (
          <Button onPress={() => void app.openLink({ url: page })}>Open in Flamegate</Button>
        )}
      </div>
      {query.error === null ? null : (
        <p role="alert" className="rounded-md bg-caution-soft px-3 py-2 text-caution">
          {query.error.message}
        </p>
      )}
      {graph !== undefined && tree !== undefined && rowCount(tree) > 1 ? (
        <FlameGraph
          tree={tree}
          unit={graph.unit}
          label={`Flame graph, ${graph.sampleType}`}
          search={search}
          onSearch={setSearch}
          root={selection?.root_function_name}
          {...(selection === undefined || !canAsk
            ? {}
            : { onRoot: (name) => change({ root_function_name: name }) })}
          onZoom={({ node }) => tellModel(node)}
        />
      ) : query.isFetching ? (
        <SkeletonBlock height="20rem" />
      ) : (
        <EmptyState title="There is nothing to draw" />
      )}
      {graph?.isOutline === true ? (
        <p aria-live="polite" className="text-sm text-muted">
          {query.isFetching
            ? 'The largest frames; the others are on their way.'
            : 'The smallest frames are left out. “Show only below this” brings those of a function.'}
        </p>
      ) : null}
    </main>
  )
}

/** To the whole window and back, where the host can. */
function DisplayModeButton({ app, context }: { app: App; context: HostState['context'] }) {
  const { displayMode = 'inline', availableDisplayModes = [] } = context
  const mode = displayMode === 'fullscreen' ? 'inline' : 'fullscreen'
  if (!availableDisplayModes.includes(mode)) return null
  return (
    <Button onPress={() => void app.requestDisplayMode({ mode })}>
      {mode === 'fullscreen' ? 'Full screen' : 'Leave full screen'}
    </Button>
  )
}
