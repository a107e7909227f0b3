import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonLine } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'

type Project = AnswerOf<typeof operations.getProject>['project']

const outdates = [operations.getProject, operations.listProjects, operations.listRepositories]

interface Props {
  projectId: string
  mayChange: boolean
}

/** Whether jobs of GitHub Actions upload to a project without a secret, and of which repository. */
export function KeylessSection({ projectId, mayChange }: Props) {
  const query = useAnswer(operations.getProject, { project_id: projectId })
  const [asked, setAsked] = useState<'allow' | 'disallow'>()
  return (
    <Section title="Keyless uploads">
      <Answer query={query} skeleton={<SkeletonLine width="20rem" />}>
        {({ project }) => (
          <div className="flex flex-col items-start gap-3">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={project.keyless_uploads ? 'better' : 'plain'}>
                {project.keyless_uploads ? 'allowed' : 'not allowed'}
              </Badge>
              <span className="wrap-anywhere">{wordsOf(project)}</span>
            </p>
            <p className="max-w-prose text-muted">
              A job proves its repository by the identity that GitHub gives it, and may then upload to this
              project for a quarter of an hour and do nothing else. No secret is stored anywhere.
            </p>
            {mayChange ? (
              <span className="flex flex-wrap gap-2">
                <Button onPress={() => setAsked('allow')}>
                  {project.keyless_uploads ? 'Change the repository…' : 'Allow a repository…'}
                </Button>
                {project.keyless_uploads ? (
                  <Button onPress={() => setAsked('disallow')}>Disallow…</Button>
                ) : null}
              </span>
            ) : null}
            {asked === 'allow' ? <Allow project={project} onClose={() => setAsked(undefined)} /> : null}
            {asked === 'disallow' ? <Disallow project={project} onClose={() => setAsked(undefined)} /> : null}
          </div>
        )}
      </Answer>
    </Section>
  )
}

function wordsOf({ keyless_uploads: isAllowed, repository }: Project): string {
  if (repository === null) return 'The project has no repository.'
  return isAllowed
    ? `GitHub Actions of ${repository} may upload.`
    : `GitHub Actions of ${repository} need an API token.`
}

interface DialogProps {
  project: Project
  onClose: () => void
}

function Allow({ project, onClose }: DialogProps) {
  const call = useCall(operations.updateProject, outdates)
  return (
    <Dialog title="Allow a repository" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['repository']}
        onSubmit={(values) =>
          call.mutate(
            { project_id: project.id, repository: textOf(values, 'repository'), keyless_uploads: true },
            {
              onSuccess: ({ project: { repository } }) => {
                say(`GitHub Actions of ${repository} may upload.`)
                onClose()
              },
            },
          )
        }
      >
        <p className="text-muted">
          What its jobs upload is uploaded in your name: it ends when you are no member here any more.
        </p>
        <TextField
          label="Repository"
          name="repository"
          placeholder="owner/name"
          defaultValue={project.repository ?? ''}
          hint="It is the repository of the project, too."
          isRequired
        />
        <FormButtons action="Allow" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function Disallow({ project, onClose }: DialogProps) {
  return (
    <ConfirmCall
      title="Disallow keyless uploads?"
      action="Disallow"
      operation={operations.updateProject}
      input={{ project_id: project.id, keyless_uploads: false }}
      outdates={outdates}
      onDone={() => say('Jobs need an API token from now on.')}
      onClose={onClose}
    >
      Jobs of {project.repository} that upload right now are cut off, and need an API token from then on. API
      tokens and results that are there stay.
    </ConfirmCall>
  )
}
