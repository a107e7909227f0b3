import { type AnswerOf, operations } from '@flamegate/contract'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { GearIcon } from '../components/icons.tsx'
import { SearchField } from '../components/search-field.tsx'
import { actionAt, actionTree, rowsAround } from './action-tree.ts'
import { ActionTreeView, RowContentsContext } from './action-tree-view.tsx'
import { ChangeList } from './change-list.tsx'
import { counted } from '../documents/counted.ts'
import { type Destination, insertion, moving, placeBeside } from './edit-actions.ts'
import { type Clipboard, commandOfKey, editorCommands } from './editor-commands.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { EditingContext, type Server } from '../documents/editing.ts'
import { FaultList } from './fault-list.tsx'
import { filteredKeys } from './filtered-keys.ts'
import { LeaveGuard } from '../documents/leave-guard.tsx'
import { newAction } from './new-parts.ts'
import { SaveBar } from '../documents/save-bar.tsx'
import { useDocumentDraft } from '../documents/use-document-draft.ts'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { SidePanel } from './side-panel.tsx'
import { StaleVersion } from '../versions/stale-version.tsx'
import { useRowTree } from './use-row-tree.ts'
import { versionsOf } from '../versions/use-versions.ts'

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
  const edited = useDocumentDraft({
    saved,
    mayChange,
    operation: operations.patchVirtualUser,
    inputOf: (saving) => ({ virtual_user_id: user.id, ...saving }),
    versionOf: ({ virtual_user: { version } }) => version,
    source: operations.getVirtualUserDocument,
    outdates: [
      operations.getVirtualUser,
      operations.listVirtualUserVersions,
      operations.listVirtualUsers,
      operations.sanityCheckVirtualUser,
      operations.suggestCorrelations,
    ],
  })
  const { draft, isDirty, faults, change, forgetFaults, undo, redo } = edited
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
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
  const [words, setWords] = useTypedWords(filter, (typed) => onView({ filter: typed }))
  const filtered = useMemo(
    () => (filter.trim() === '' ? undefined : filteredKeys(rowTree, filter, serverNames)),
    [rowTree, filter, serverNames],
  )
  const faulty = useMemo(
    () => new Set(Object.keys(faults).flatMap((pointer) => actionAt(tree, pointer)?.key ?? [])),
    [faults, tree],
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
      forgetFaults()
      change(`Moved ${counted(keys.length, 'action')}`, (now) => moving(now, keys, destination))
      show(keys)
    },
    [change, forgetFaults, show],
  )
  const put = (destination: Destination, kind: string) => {
    const made = newAction(kind, servers[0]?.id ?? '')
    change(`Added ${kind.replaceAll(/[_:]/g, ' ')}`, insertion(tree, [made], destination))
    show([String(made['id'])])
  }
  const commands = editorCommands({ document, tree, chosen, clipboard, change, show, setClipboard })
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
  return (
    <EditingContext value={editing}>
      <LeaveGuard isDirty={isDirty} />
      {edited.isStale ? (
        <StaleVersion
          edited={edited}
          source={versionsOf(operations.listVirtualUserVersions, { virtual_user_id: user.id })}
          renderChanges={(changes, count) => (
            <div className="max-h-72 overflow-y-auto">
              <ChangeList virtualUserId={user.id} changes={changes} count={count} />
            </div>
          )}
        />
      ) : null}
      {edited.isRefusedForPlaces ? (
        <FaultList key={edited.attempt} faults={faults} tree={tree} onShow={(key) => show([key])} />
      ) : null}
      <div className="grid min-w-0 gap-4 lg:grid-cols-[minmax(22rem,2fr)_3fr] lg:items-start">
        <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface lg:sticky lg:top-3">
          <div className="flex flex-wrap items-center gap-2 border-b border-line p-2">
            {mayChange ? (
              <EditorToolbar
                commands={commands}
                onAdd={(kind) => put(placeBeside(tree, chosen.at(-1)), kind)}
                edited={edited}
              />
            ) : null}
            <SearchField label="Filter actions" value={words} onChange={setWords} className="min-w-36 grow" />
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
            mayChange={mayChange && !edited.isSaving}
          />
        </FormMessages>
      </div>
      <SaveBar edited={edited} />
    </EditingContext>
  )
}
