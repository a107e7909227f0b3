import { ApiProblem } from '@flamegate/client'
import { formatQuantity } from '@flamegate/contract'
import { memo, useCallback, useMemo } from 'react'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { FlameGraph } from '../flame-graph/flame-graph.tsx'
import { at } from '../flame-graph/flame-tree.ts'
import type { LoadProgress } from '../flame-graph/load-columns.ts'
import { HotSpots } from './hot-spots.tsx'
import type { ViewProps } from './profile-views.tsx'
import { useFlameTree } from './use-flame-tree.ts'
import { useTypedWords } from './use-typed-words.ts'
import { isHeapSnapshot, selectionOf } from './view-search.ts'
import { readZoom, zoomWords } from './zoom-words.ts'

/** The flame graph of a profile, and its hot spots. */
export function FlameView({ profile, search, change }: ViewProps) {
  const isSnapshot = isHeapSnapshot(profile)
  const isInverted = search.inverted === 'true'
  const isUpsideDown = search.mode === 'flame'
  const { type, labels, from, to } = search
  const selection = useMemo(() => selectionOf({ type, labels, from, to }), [type, labels, from, to])
  const { query, progress } = useFlameTree(
    {
      profile_id: profile.id,
      inverted: isInverted,
      ...selection,
      ...(search.root === undefined ? {} : { root_function_name: search.root }),
    },
    profile.node_count,
  )
  const keepWords = useCallback((words: string) => change({ search: words }), [change])
  const [words, setWords] = useTypedWords(search.search, keepWords)
  const searchFor = useCallback(
    (name: string) => {
      setWords(name)
      window.scrollTo({ top: 0, behavior: 'smooth' })
    },
    [setWords],
  )
  return (
    <>
      <section aria-label="Flame graph" className="flex flex-col gap-3">
        {isSnapshot ? (
          <p className="max-w-prose text-muted">
            Below a class stands what its objects alone keep alive. A frame is as wide as what would be freed
            with it.
          </p>
        ) : null}
        <div className="flex flex-wrap items-center gap-3">
          <ToggleButton
            isSelected={isInverted}
            onChange={(chosen) =>
              change({ inverted: chosen ? 'true' : undefined, zoom: undefined, part: undefined })
            }
          >
            Inverted
          </ToggleButton>
          <ToggleButton
            isSelected={isUpsideDown}
            onChange={(chosen) => change({ mode: chosen ? 'flame' : undefined })}
          >
            Root below
          </ToggleButton>
          <p className="text-sm text-muted max-sm:hidden">
            Press a frame to zoom in, or <kbd>Ctrl</kbd> and the wheel; drag to move; <kbd>Esc</kbd> zooms
            out, <kbd>/</kbd> searches.
          </p>
        </div>
        {isUnknownRoot(query.error) ? (
          <EmptyState title={`${search.root} is not in this profile`}>
            <Button onPress={() => change({ root: undefined })}>Show the whole profile</Button>
          </EmptyState>
        ) : query.data !== undefined && at(query.data.tree.total, 0) === 0 ? (
          <EmptyState title="No samples of this type" />
        ) : (
          <Answer query={query} skeleton={<Loading progress={progress} />}>
            {({ tree, unit, sampleType, note, omittedNodes }) => (
              <>
                <FlameGraph
                  tree={tree}
                  unit={unit}
                  label={`Flame graph of ${profile.name}, ${sampleType}`}
                  search={words}
                  onSearch={setWords}
                  searchLabel={isSnapshot ? 'Find a class' : 'Find a function'}
                  root={search.root}
                  onRoot={(root) => change({ root, zoom: undefined, part: undefined })}
                  zoom={readZoom(tree, search)}
                  onZoom={(zoom) => change(zoomWords(tree, zoom))}
                  isUpsideDown={isUpsideDown}
                  // Objects come from nowhere: classes are told apart.
                  colorsMean={isSnapshot ? 'name' : 'origin'}
                  more={{
                    label: isSnapshot ? 'Objects' : 'Callers and callees',
                    open: (name) =>
                      change({
                        view: isSnapshot ? 'classes' : 'sandwich',
                        function: name,
                        object: undefined,
                        zoom: undefined,
                        part: undefined,
                      }),
                  }}
                />
                {note === null ? null : <p className="mt-2 text-sm text-muted">{note}</p>}
                {omittedNodes > 0 ? (
                  <p className="mt-2 text-sm text-muted">
                    {omittedNodes.toLocaleString()} of the smallest frames are left out. “Show only below
                    this” brings those of a function.
                  </p>
                ) : null}
              </>
            )}
          </Answer>
        )}
      </section>
      {isSnapshot ? null : (
        <HotSpotsBeside profileId={profile.id} selection={selection} onChoose={searchFor} />
      )}
    </>
  )
}

/** Not drawn anew for every key and step of a zoom. */
const HotSpotsBeside = memo(HotSpots)

/** Large trees tell how much of them has come. */
function Loading({ progress }: { progress: LoadProgress | undefined }) {
  return (
    <div className="flex flex-col gap-2">
      {progress === undefined ? null : (
        <div className="flex items-center gap-3 text-sm text-muted">
          <progress
            aria-label="Flame graph"
            className="w-64 accent-accent"
            {...(progress.wholeBytes === undefined
              ? {}
              : { value: progress.loadedBytes, max: progress.wholeBytes })}
          />
          <span className="tabular-nums">{formatQuantity(progress.loadedBytes, 'bytes')}</span>
        </div>
      )}
      <SkeletonBlock height="32rem" />
    </div>
  )
}

function isUnknownRoot(error: Error | null): boolean {
  return error instanceof ApiProblem && error.code === 'function_not_found'
}
