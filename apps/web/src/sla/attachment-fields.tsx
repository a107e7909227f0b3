import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { IconButton } from '../components/button.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { actionTree } from '../virtual-users/action-tree.ts'
import { isObject, textOf } from '../documents/json.ts'

export interface Attachment {
  virtual_user_id: string
  action_id: string | null
}

interface Props {
  index: number
  attachment: Attachment
  users: readonly { id: string; name: string }[]
  onChange: (attachment: Attachment) => void
  onRemove: () => void
}

/** No action has this id: all of a virtual user. */
const all = ''

/** A virtual user, or a container or action of it, that runs are held against a profile by. */
export function AttachmentFields({ index, attachment, users, onChange, onRemove }: Props) {
  const { virtual_user_id: userId, action_id: actionId } = attachment
  const document = useAnswer(operations.getVirtualUserDocument, { virtual_user_id: userId }).data?.document
  const rows = isObject(document) ? [...actionTree(document).byKey.values()] : []
  const actions = rows
    .filter(({ kind }) => kind === 'action')
    .map(({ key, action }) => ({
      id: key,
      label: textOf(action['name']) || key,
      note: textOf(action['type']).replaceAll('_', ' '),
    }))
  const isKnown = actionId === null || actions.some(({ id }) => id === actionId)
  return (
    <div className="flex items-end gap-2">
      <Select
        label={`Virtual user ${index + 1}`}
        name={`attachments.${index}.virtual_user_id`}
        className="grow basis-0"
        choices={users.map(({ id, name }) => ({ id, label: name }))}
        value={userId}
        onChange={(id) => onChange({ virtual_user_id: id, action_id: null })}
      />
      <Select
        label="What of it"
        name={`attachments.${index}.action_id`}
        className="grow basis-0"
        choices={[
          { id: all, label: 'All of it' },
          ...actions,
          ...(isKnown ? [] : [{ id: actionId ?? '', label: actionId ?? '', note: 'not there any more' }]),
        ]}
        value={actionId ?? all}
        onChange={(id) => onChange({ virtual_user_id: userId, action_id: id === all ? null : id })}
      />
      <IconButton label={`Detach from virtual user ${index + 1}`} onPress={onRemove}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
