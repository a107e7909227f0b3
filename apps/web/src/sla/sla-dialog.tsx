import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { useVirtualUsers } from '../scenarios/use-virtual-users.ts'
import { AttachmentFields, type Attachment } from './attachment-fields.tsx'
import { type Band, bandOf, draftOf, newBand, type SlaProfile } from './band-draft.ts'
import { BandFields } from './band-fields.tsx'

interface Props {
  projectId: string
  /** The one to change; a new one when left out. */
  profile?: SlaProfile
  /** What a new one can begin with. */
  suggested: readonly Band[]
  onClose: () => void
}

/** Makes an SLA profile or changes one: its bands, and what it is attached to. */
export function SlaDialog({ projectId, profile, suggested, onClose }: Props) {
  const { users, areComing } = useVirtualUsers(projectId)
  const [bands, setBands] = useState(() => profile?.bands.map(draftOf) ?? [newBand()])
  const [attachments, setAttachments] = useState<readonly Attachment[]>(
    profile?.attachments.map(({ virtual_user_id, action_id }) => ({ virtual_user_id, action_id })) ?? [],
  )
  const call = useCall(operations.setSlaProfile, [operations.listSlaProfiles])
  const [firstUser] = users
  return (
    <Dialog
      title={profile === undefined ? 'New SLA profile' : `Change ${profile.name}`}
      isOpen
      wide
      onClose={onClose}
    >
      <Form
        error={call.error}
        fields={[
          'name',
          'description',
          ...bands.flatMap((_, index) =>
            [
              'severity',
              'metric',
              'statistic',
              'apdex_target_ms',
              'from',
              'to',
              'condition.times',
              'condition.duration_ms',
            ].map((name) => `bands.${index}.${name}`),
          ),
          ...attachments.flatMap((_, index) => [
            `attachments.${index}.virtual_user_id`,
            `attachments.${index}.action_id`,
          ]),
        ]}
        onSubmit={(values) =>
          call.mutate(
            {
              project_id: projectId,
              name: profile?.name ?? textOf(values, 'name'),
              description: textOf(values, 'description'),
              bands: bands.map(bandOf),
              attachments: [...attachments],
              ...(profile === undefined ? {} : { if_version: profile.version }),
            },
            {
              onSuccess: ({ sla_profile: { name } }) => {
                say(`${name} is saved.`)
                onClose()
              },
            },
          )
        }
      >
        {profile === undefined ? <TextField label="Name" name="name" maxLength={80} isRequired /> : null}
        <TextField
          label="Description"
          name="description"
          defaultValue={profile?.description ?? ''}
          maxLength={2000}
        />
        <div className="flex flex-col gap-3">
          {bands.map((band, index) => (
            <BandFields
              key={band.key}
              index={index}
              band={band}
              onChange={(next) => setBands(bands.map((each) => (each.key === next.key ? next : each)))}
              onRemove={() => setBands(bands.filter(({ key }) => key !== band.key))}
            />
          ))}
          <span className="flex flex-wrap gap-2">
            <Button onPress={() => setBands([...bands, newBand()])}>
              <PlusIcon />
              Add a band
            </Button>
            {profile === undefined ? (
              <Button onPress={() => setBands(suggested.map(draftOf))}>Use those that are suggested</Button>
            ) : null}
          </span>
        </div>
        <div className="flex flex-col gap-3">
          <p className="text-sm text-muted">
            Runs of what it is attached to are held against it. Attached to nothing, it does nothing.
          </p>
          {attachments.map((attachment, index) => (
            <AttachmentFields
              // oxlint-disable-next-line react/no-array-index-key -- they have no ids, and two may be the same
              key={index}
              index={index}
              attachment={attachment}
              users={users}
              onChange={(next) => setAttachments(attachments.with(index, next))}
              onRemove={() => setAttachments(attachments.toSpliced(index, 1))}
            />
          ))}
          {firstUser === undefined ? (
            areComing ? null : (
              <p className="text-sm text-muted">The project has no virtual user yet.</p>
            )
          ) : (
            <Button
              className="self-start"
              onPress={() =>
                setAttachments([...attachments, { virtual_user_id: firstUser.id, action_id: null }])
              }
            >
              <PlusIcon />
              Attach to a virtual user
            </Button>
          )}
        </div>
        <FormButtons action="Save" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
