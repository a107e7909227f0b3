import { engineTitle, load as loadSchema, loadWords } from '@flamegate/loadtest/scenario'
import { useContext, useState } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { ChevronDown, ChevronRight, CloseIcon } from '../components/icons.tsx'
import { EditingContext, useSetValue } from '../documents/editing.ts'
import { FieldRows } from '../documents/field-view.tsx'
import { type JsonObject, textOf } from '../documents/json.ts'
import { furtherFields, mainFields, scriptOf } from './profile-fields.ts'
import { VariablesField } from './variables-field.tsx'

interface Props {
  profile: JsonObject
  index: number
  virtualUsers: readonly { id: string; name: string }[]
  mayChange: boolean
}

/** One user profile: who, how many, from where; and, behind a button, what is seldom changed. */
export function ProfileCard({ profile, index, virtualUsers, mayChange }: Props) {
  const { change } = useContext(EditingContext)
  const [isOpen, setOpen] = useState(false)
  const pointer = `/profiles/${index}`
  const setEnabled = useSetValue(`${pointer}/enabled`, 'Enabled')
  const name = textOf(profile['name']) || `Profile ${index + 1}`
  const isEnabled = profile['enabled'] !== false
  const read = loadSchema.safeParse(profile['load'])
  const words = read.success ? loadWords(read.data) : 'This load is not complete yet.'
  return (
    <li
      aria-label={name}
      className={`flex min-w-0 flex-col gap-4 rounded-lg border border-line bg-surface p-4 ${isEnabled ? '' : 'border-dashed'}`}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-semibold break-words">{name}</h3>
        <span className="min-w-0 grow text-sm text-muted">
          {isEnabled ? `${scriptWords(profile)}${words}` : 'off'}
        </span>
        <Checkbox isSelected={isEnabled} isDisabled={!mayChange} onChange={setEnabled}>
          Enabled
        </Checkbox>
        {mayChange ? (
          <IconButton
            label={`Remove profile ${name}`}
            onPress={() => change(`Removed “${name}”`, [{ op: 'remove', path: pointer }])}
          >
            <CloseIcon />
          </IconButton>
        ) : null}
      </div>
      <fieldset disabled={!mayChange} className="contents">
        <legend className="sr-only">{name}</legend>
        <FieldRows fields={mainFields(profile, virtualUsers)} pointer={pointer} value={profile} />
      </fieldset>
      <div>
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-label={`More settings of ${name}`}
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown /> : <ChevronRight />}
          More settings
        </Button>
      </div>
      {isOpen ? (
        <fieldset disabled={!mayChange} className="contents">
          <legend className="sr-only">More settings of {name}</legend>
          <FieldRows fields={furtherFields} pointer={pointer} value={profile} />
          <VariablesField pointer={`${pointer}/variables`} value={profile['variables']} />
        </fieldset>
      ) : null}
    </li>
  )
}

/** `k6 scripts/shop.js, `: of which other engine a profile is, because that is behind the button; else nothing. */
function scriptWords(profile: JsonObject): string {
  const script = scriptOf(profile)
  return script === undefined ? '' : `${engineTitle(script.type)} ${script.path}, `
}
