import { ApiProblem } from '@flamegate/client'
import { type AnswerOf, operations } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { GearIcon } from '../components/icons.tsx'
import { SearchField } from '../components/search-field.tsx'
import { say } from '../components/toasts.tsx'
import { actionAt, actionTree, rowsAround } from './action-tree.ts'
import { ActionTreeView, RowContentsContext } from './action-tree-view.tsx'
import { counted } from './action-words.ts'
import { documentFaults } from './document-faults.ts'
import { changed, patchOf, rebased, redone, startDraft, undone } from './draft.ts'
import { type Destination, insertion, moving, placeBeside } from './edit-actions.ts'
import { type Clipboard, commandOfKey, editorCommands } from './editor-commands.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { type Change, EditingContext, type Server } from './editing.ts'
import { FaultList } from './fault-list.tsx'
import { filteredKeys } from './filtered-keys.ts'
import { PatchMisfit } from './json-patch.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { newAction } from './new-parts.ts'
import { SaveBar } from './save-bar.tsx'
import { SidePanel } from './side-panel.tsx'
import { StaleNote } from './stale-note.tsx'
import { useRowTree } from './use-row-tree.ts'

interface Props {
  /** As it is saved by now. */
  saved: AnswerOf<typeof operations.getVirtualUserDocument>
  servers: readonly Server[]
  mayChange: boolean
  /** What the address says: keys of the chosen actions, words of the filter, whether JSON is shown. */
  chosen: readonly string[]
  filter: string
  isJson: boolean
  /** Told whether something is not saved. */
  onDirty: (isDirty: boolean) => void
  onView: (view: { chosen?: readonly string[]; filter?: string; isJson?: boolean }) => void
}

/** Virtual users up to so many actions are open when they are first seen. */
const openActionsMax = 80

/** The editor of a virtual user: its actions, what the chosen one does, and what is not saved yet. */
export function Editor({ saved, servers, mayChange, chosen, filter, isJson, onDirty, onView }: Props) {
  const { virtual_user: user } = saved
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => startDraft(saved.document, saved.version))
  const isDirty = draft.done.length > 0
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  if (!isDirty && saved.version >= draft.version && saved.document !== draft.base)
    setDraft(startDraft(saved.document, saved.version))
  const isStale = isDirty && saved.version > draft.version
  const { document } = draft
  const tree = useMemo(() => actionTree(document), [document])
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(() => {
    const rows = [...tree.byKey.values()]
    const open = rows.length <= openActionsMax ? rows : chosenRows().flatMap((row) => rowsAround(tree, row))
    return new Set(open.map(({ key }) => key))
  })
  function chosenRows() {
    return chosen.flatMap((key) => tree.byKey.get(key) ?? [])
  }
  // Rows that are to be seen, also those that a change has only just put where they are.
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [inSight, setInSight] = useState(chosen[0])
  if (hidden.length > 0) {
    setHidden([])
    const around = hidden.flatMap((key) => tree.byKey.get(key) ?? []).flatMap((row) => rowsAround(tree, row))
    setOpenKeys(new Set([...openKeys, ...around.map(({ key }) => key)]))
  }
  const [clipboard, setClipboard] = useState<Clipboard>()
  const serverNames = useMemo(() => new Map(servers.map(({ id, name }) => [id, name])), [servers])
  const rowTree = useRowTree(tree, serverNames)
  const filtered = useMemo(
    () => (filter.trim() === '' ? undefined : filteredKeys(rowTree, filter, serverNames)),
    [rowTree, filter, serverNames],
  )
  const saving = useCall(operations.patchVirtualUser, [
    operations.getVirtualUserDocument,
    operations.listVirtualUserVersions,
    operations.listVirtualUsers,
    operations.sanityCheckVirtualUser,
    operations.suggestCorrelations,
  ])
  const faults = useMemo(() => documentFaults(saving.error), [saving.error])
  const faulty = useMemo(
    () => new Set(Object.keys(faults).flatMap((pointer) => actionAt(tree, pointer)?.key ?? [])),
    [faults, tree],
  )

  // What is called back stays the same while the document changes: all rows and fields would be drawn again else.
  const canChange = mayChange && !saving.isPending
  const { reset } = saving
  const change = useCallback(
    (words: string, patch: Change) => {
      if (!canChange) return
      // What was said of places is true of the document that was sent. Fields change nothing of where things stand.
      if (typeof patch !== 'function' && patch.some(({ op }) => op !== 'replace')) reset()
      setDraft((before) => {
        try {
          return changed(before, words, typeof patch === 'function' ? patch(before.document) : patch)
        } catch (error) {
          // What the patch was made for is gone since, for instance undone.
          if (error instanceof PatchMisfit) return before
          throw error
        }
      })
    },
    [canChange, reset],
  )
  const editing = useMemo(() => ({ servers, change }), [servers, change])
  const choose = useCallback((keys: readonly string[]) => onView({ chosen: keys }), [onView])
  const show = useCallback(
    (keys: readonly string[]) => {
      setHidden(keys)
      setInSight(keys[0])
      choose(keys)
    },
    [choose],
  )
  const move = useCallback(
    (keys: string[], destination: Destination) => {
      reset()
      change(`Moved ${counted(keys.length, 'action')}`, (now) => moving(now, keys, destination))
      show(keys)
    },
    [change, reset, show],
  )
  const put = (destination: Destination, kind: string) => {
    const made = newAction(kind, servers[0]?.id ?? '')
    change(`Added ${kind.replaceAll(/[_:]/g, ' ')}`, insertion(tree, [made], destination))
    show([String(made['id'])])
  }
  const commands = editorCommands({ document, tree, chosen, clipboard, change, show, setClipboard })
  const undo = () => {
    saving.reset()
    setDraft(undone)
  }
  const redo = () => {
    saving.reset()
    setDraft(redone)
  }
  const save = (label: string) =>
    saving.mutate(
      {
        virtual_user_id: user.id,
        patch: patchOf(draft),
        if_version: draft.version,
        ...(label === '' ? {} : { label }),
      },
      {
        onSuccess: ({ virtual_user: { version } }) => {
          setDraft(startDraft(document, version))
          say(`Version ${version} is saved.`)
        },
        onError: (error) => {
          // Somebody was first: the newer version is asked for, and shown.
          if (error instanceof ApiProblem && error.code === 'version_mismatch')
            void queries.invalidateQueries({ queryKey: [operations.getVirtualUserDocument.id] })
        },
      },
    )
  const onKeyDown = (event: KeyboardEvent) => {
    const id = commandOfKey(event)
    if (id === undefined || !mayChange) return
    const run = { undo, redo }[id] ?? commands.find((each) => each.id === id && each.isPossible)?.run
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const rowContents = useMemo(() => ({ byKey: tree.byKey, faulty }), [tree, faulty])
  const cut = useMemo(() => new Set(clipboard?.kind === 'cut' ? clipboard.keys : []), [clipboard])
  const shownOpen = useMemo(
    () => (filtered === undefined ? openKeys : new Set([...openKeys, ...filtered.open])),
    [openKeys, filtered],
  )
  const isRefusedForPlaces = Object.keys(faults).length > 0
  return (
    <EditingContext value={editing}>
      <LeaveGuard isDirty={isDirty} />
      {isStale ? (
        <StaleNote
          virtualUserId={user.id}
          version={draft.version}
          newest={saved.version}
          onApply={() => {
            const result = rebased(draft, saved.document, saved.version)
            saving.reset()
            setDraft(result.draft)
            if (result.lost.length > 0) say(`Fits no longer, and is left out: ${result.lost.join(', ')}.`)
          }}
          onDiscard={() => setDraft(startDraft(saved.document, saved.version))}
        />
      ) : null}
      {isRefusedForPlaces ? (
        <FaultList key={saving.submittedAt} faults={faults} tree={tree} onShow={(key) => show([key])} />
      ) : null}
      <div className="grid min-w-0 gap-4 lg:grid-cols-[minmax(22rem,2fr)_3fr] lg:items-start">
        <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface lg:sticky lg:top-3">
          <div className="flex flex-wrap items-center gap-2 border-b border-line p-2">
            {mayChange ? (
              <EditorToolbar
                commands={commands}
                onAdd={(kind) => put(placeBeside(tree, chosen.at(-1)), kind)}
                undoes={draft.done.at(-1)?.words}
                redoes={draft.undone.at(-1)?.words}
                onUndo={undo}
                onRedo={redo}
              />
            ) : null}
            <SearchField
              label="Filter actions"
              value={filter}
              onChange={(words) => onView({ filter: words })}
              className="min-w-36 grow"
            />
          </div>
          <div className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-3 pl-1">
            <Button
              variant="quiet"
              className={`h-8! px-2.5! ${chosen.length === 0 ? 'text-accent!' : ''}`}
              aria-pressed={chosen.length === 0}
              onPress={() => choose([])}
            >
              <GearIcon />
              Settings
            </Button>
            <output className="text-sm text-muted">
              {filtered === undefined
                ? counted([...tree.byKey.values()].filter(({ kind }) => kind === 'action').length, 'action')
                : `${filtered.fitCount} of ${tree.byKey.size} fit`}
            </output>
          </div>
          {/* Keys are read here before the tree reads them: Alt with an arrow moves the row, not the focus. */}
          <div className="h-[45vh] lg:h-[calc(100vh-16rem)] lg:min-h-72" onKeyDownCapture={onKeyDown}>
            <RowContentsContext value={rowContents}>
              <ActionTreeView
                tree={rowTree}
                shown={filtered?.shown}
                openKeys={shownOpen}
                onOpen={setOpenKeys}
                chosen={chosen}
                onChoose={choose}
                inSight={inSight}
                cut={cut}
                serverNames={serverNames}
                onMove={mayChange ? move : undefined}
              />
            </RowContentsContext>
          </div>
        </div>
        <FormMessages value={faults}>
          <SidePanel
            document={document}
            chosen={chosenRows().filter(({ kind }) => kind === 'action')}
            isJson={isJson}
            onJson={(next) => onView({ isJson: next })}
            mayChange={mayChange && !saving.isPending}
          />
        </FormMessages>
      </div>
      {isDirty && !isStale ? (
        <SaveBar
          draft={draft}
          isPending={saving.isPending}
          error={isRefusedForPlaces ? null : saving.error}
          onSave={save}
          onDiscard={() => {
            saving.reset()
            setDraft((before) => startDraft(before.base, before.version))
          }}
        />
      ) : null}
    </EditingContext>
  )
}
