import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'

type Project = AnswerOf<typeof operations.getProject>['project']
type Rule = Project['origin_rules'][number]

interface Props {
  projectId: string
  mayChange: boolean
}

const forges = [
  { id: 'github', label: 'GitHub' },
  { id: 'gitlab', label: 'GitLab' },
  { id: 'bitbucket', label: 'Bitbucket' },
  { id: 'gitea', label: 'Gitea or Forgejo' },
] as const

const places = [
  { id: 'file', label: 'File' },
  { id: 'function', label: 'Function name' },
] as const

/** Whose code functions of profiles are, and on which site their source is. */
export function SourceSection({ projectId, mayChange }: Props) {
  const query = useAnswer(operations.getProject, { project_id: projectId })
  const [asked, setAsked] = useState<'rule' | 'forge'>()
  const call = useUpdate()
  const close = () => setAsked(undefined)
  return (
    <Section title="Source code">
      <p className="max-w-prose text-muted">
        Profiles tell code of the project from dependencies, libraries and the runtime by names and paths.
        Rules of your own go before those that are built in, and the first one that fits counts.
      </p>
      <Answer query={query} skeleton={<SkeletonTable rows={1} />}>
        {({ project }) => (
          <div className="flex flex-col gap-3">
            <p className="min-w-0 break-words">{forgeInWords(project)}</p>
            <DataTable
              label="Rules of origins"
              rows={project.origin_rules}
              rowKey={(rule) => `${rule.in} ${rule.pattern}`}
              stacks
              whenEmpty="There are no rules of your own."
              columns={[
                { key: 'in', title: 'Where', render: (rule) => placeInWords(rule) },
                {
                  key: 'pattern',
                  title: 'Has',
                  grow: true,
                  render: (rule) => <code className="break-all whitespace-normal">{rule.pattern}</code>,
                },
                { key: 'origin', title: 'Is', render: (rule) => rule.origin },
                ...(mayChange
                  ? [
                      {
                        key: 'remove',
                        title: '',
                        render: (rule: Rule) => (
                          <Button
                            variant="quiet"
                            aria-label={`Remove the rule ${rule.pattern}`}
                            isDisabled={call.isPending}
                            onPress={() => call.mutate(withRules(project, without(project, rule)))}
                          >
                            Remove
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
            {mayChange ? (
              <span className="flex flex-wrap gap-2">
                <Button onPress={() => setAsked('rule')}>Add a rule…</Button>
                <Button onPress={() => setAsked('forge')}>Change the site…</Button>
              </span>
            ) : null}
            {asked === 'rule' ? <AddRule project={project} onClose={close} /> : null}
            {asked === 'forge' ? <ChangeForge project={project} onClose={close} /> : null}
          </div>
        )}
      </Answer>
    </Section>
  )
}

interface DialogProps {
  project: Project
  onClose: () => void
}

function AddRule({ project, onClose }: DialogProps) {
  const call = useUpdate()
  const [place, setPlace] = useState<Rule['in']>('file')
  return (
    <Dialog title="Add a rule" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['origin_rules']}
        onSubmit={(values) => {
          const rule = {
            in: place,
            pattern: textOf(values, 'origin_rules'),
            origin: textOf(values, 'origin'),
          }
          call.mutate(withRules(project, [...without(project, rule), rule]), {
            onSuccess: () => {
              say('The rule is added.')
              onClose()
            },
          })
        }}
      >
        <Select
          label="Where"
          choices={places}
          value={place}
          onChange={(id) => setPlace(id === 'function' ? 'function' : 'file')}
        />
        <TextField
          label="Has the text"
          name="origin_rules"
          placeholder="/node_modules/@acme/"
          hint="* is any text. Folders are divided by /."
          isRequired
        />
        <TextField
          label="Is"
          name="origin"
          defaultValue="User code"
          hint="User code, Standard library, Runtime, Kernel, Unknown, or the name of a dependency."
          isRequired
        />
        <FormButtons action="Add" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function ChangeForge({ project, onClose }: DialogProps) {
  const call = useUpdate()
  const [forge, setForge] = useState<string>(project.forge ?? 'github')
  return (
    <Dialog title="Change the site of the repository" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['forge_url']}
        onSubmit={(values) =>
          call.mutate(
            {
              project_id: project.id,
              forge: forges.find(({ id }) => id === forge)?.id ?? null,
              forge_url: textOf(values, 'forge_url').trim() || null,
            },
            {
              onSuccess: () => {
                say('Functions lead to that site.')
                onClose()
              },
            },
          )
        }
      >
        <Select label="Site" choices={forges} value={forge} onChange={setForge} />
        <TextField
          label="Address"
          name="forge_url"
          placeholder="The public one"
          defaultValue={project.forge_url ?? ''}
          hint="Of a site of your own, such as https://git.example.com."
        />
        <FormButtons action="Change" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function withRules(project: Project, rules: Rule[]) {
  return { project_id: project.id, origin_rules: rules, if_version: project.version }
}

function without({ origin_rules: rules }: Project, rule: Rule): Rule[] {
  return rules.filter((each) => each.in !== rule.in || each.pattern !== rule.pattern)
}

function placeInWords(rule: Rule): string {
  return places.find(({ id }) => id === rule.in)?.label ?? rule.in
}

function forgeInWords({ repository, forge, forge_url: address }: Project): string {
  if (repository === null) return 'The project has no repository, so functions lead nowhere.'
  const site = forges.find(({ id }) => id === (forge ?? 'github'))?.label
  return `In profiles of runs, functions lead to their source in ${repository} on ${site}${address === null ? '' : ` at ${address}`}.`
}

function useUpdate() {
  return useCall(operations.updateProjectSource, [
    operations.getProject,
    operations.listProjects,
    operations.analyzeProfile,
    operations.queryFlamegraph,
    operations.getFlamegraphColumns,
  ])
}
