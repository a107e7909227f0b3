import type { ReactNode } from 'react'
import { ToggleButton } from '../components/toggle-button.tsx'
import { actionKinds, commonFields, kindOf, virtualUserFields } from './action-fields.ts'
import { ActionIcon } from './action-icon.tsx'
import type { TreeNode } from './action-tree.ts'
import { counted } from '../documents/counted.ts'
import { actionTitle } from './action-words.ts'
import { FieldRows } from '../documents/field-view.tsx'
import { JsonEditor } from '../documents/json-editor.tsx'
import { type JsonObject, textOf } from '../documents/json.ts'

interface Props {
  document: JsonObject
  /** The actions that are chosen; none: it is about the virtual user itself. */
  chosen: readonly TreeNode[]
  isJson: boolean
  onJson: (isJson: boolean) => void
  mayChange: boolean
}

/** All that can be said of what is chosen, as a form or as JSON. */
export function SidePanel({ document, chosen, isJson, onJson, mayChange }: Props) {
  const [node, ...others] = chosen
  if (others.length > 0) {
    return (
      <Panel title={`${counted(chosen.length, 'action')} chosen`}>
        <p className="text-muted">
          Choose one to see what it does. All of them can be moved, copied, disabled and deleted.
        </p>
      </Panel>
    )
  }
  const [pointer, value] = node === undefined ? ['', document] : [node.pointer, node.action]
  const kind = node === undefined ? undefined : actionKinds[kindOf(node.action)]
  const fields = node === undefined ? virtualUserFields : [...commonFields, ...(kind?.fields ?? [])]
  const reason = textOf(value['disabled_reason'])
  return (
    <Panel
      title={node === undefined ? 'Settings' : actionTitle(node.action)}
      icon={node === undefined ? null : <ActionIcon type={textOf(node.action['type'])} />}
      note={
        node === undefined ? undefined : (
          <>
            {kind?.label ?? textOf(node.action['type'])} · <code>{textOf(node.action['id'])}</code>
          </>
        )
      }
      aside={
        <ToggleButton isSelected={isJson} onChange={onJson}>
          JSON
        </ToggleButton>
      }
    >
      {reason === '' || value['enabled'] !== false ? null : (
        <p className="rounded-md bg-caution-soft px-3 py-2 text-sm">{reason}</p>
      )}
      <fieldset disabled={!mayChange} className="min-w-0">
        <legend className="sr-only">{node === undefined ? 'Settings' : actionTitle(node.action)}</legend>
        {isJson ? (
          <JsonEditor
            key={textOf(value['id'])}
            pointer={pointer}
            value={value}
            label={node === undefined ? 'JSON of the virtual user' : 'JSON of the action'}
          />
        ) : (
          <FieldRows key={textOf(value['id'])} fields={fields} pointer={pointer} value={value} />
        )}
      </fieldset>
    </Panel>
  )
}

interface PanelProps {
  title: string
  icon?: ReactNode
  note?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

function Panel({ title, icon, note, aside, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-lg font-semibold break-words">
            {icon}
            {title}
          </h2>
          {note === undefined ? null : <p className="text-sm break-all text-muted">{note}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}
