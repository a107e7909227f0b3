import { operations, type AnswerOf, type RawInputOf } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { DocumentForm } from '../design/document-form.tsx'
import { EditDialog } from '../design/edit-dialog.tsx'
import {
  newRule,
  newRuleFields,
  ruleFields,
  rulePointer,
  ruleTargets,
  sourceInput,
  sourceWords,
} from '../design/rule-fields.ts'
import { useRestore } from '../design/use-restore.ts'
import { versionColumn } from '../design/version-column.tsx'
import { usePages } from '../paged.ts'
import { problemWords } from '../problem-words.ts'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import type { JsonObject } from '../documents/json.ts'

const route = getRouteApi('/app/projects/$projectId/correlation-rules')

type Rule = AnswerOf<typeof operations.listCorrelationRules>['rules'][number]

const outdates = [operations.listCorrelationRules]
const fields = () => ruleFields

/** Where values that change are found in answers, and where they are sent: of the project, and of frameworks. */
export function ProjectCorrelationRulesPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const [isNew, setNew] = useState(false)
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="Correlation rules"
      lead="Find a value in an answer, and send what the server says now"
      actions={
        mayChange ? (
          <Button variant="primary" onPress={() => setNew(true)}>
            <PlusIcon />
            New rule
          </Button>
        ) : undefined
      }
    >
      <DesignTabs projectId={projectId} current="correlation-rules" />
      <OwnRules projectId={projectId} mayChange={mayChange} />
      <Frameworks projectId={projectId} />
      {isNew ? <NewRule projectId={projectId} onClose={() => setNew(false)} /> : null}
    </ProjectPage>
  )
}

function OwnRules({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const { query, more } = usePages(
    operations.listCorrelationRules,
    { project_id: projectId, limit: 100 },
    ({ rules, next_cursor }) => ({ rows: rules, nextCursor: next_cursor }),
  )
  const restore = useRestore(operations.restoreDesignObject, outdates)
  const [changed, setChanged] = useState<Rule>()
  const [deleted, setDeleted] = useState<Rule>()
  return (
    <Section title="Of this project">
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {(rules) => (
          <>
            <DataTable
              label="Rules of this project"
              rows={rules}
              rowKey={({ id }) => id}
              stacks
              whenEmpty="None yet. What the suggestions of a virtual user do not find, a rule does."
              columns={[
                {
                  key: 'name',
                  title: 'Name',
                  grow: true,
                  render: ({ name, source }) => (
                    <span className="block min-w-0">
                      <span className="block truncate font-medium">{name}</span>
                      <code className="block truncate text-sm text-muted" title={sourceWords(source)}>
                        {sourceWords(source)}
                      </code>
                    </span>
                  ),
                },
                {
                  key: 'variable',
                  title: 'Variable',
                  render: ({ variable }) => <code>{`\${${variable}}`}</code>,
                },
                {
                  key: 'targets',
                  title: 'Sent in',
                  hideBelow: 'lg',
                  render: ({ targets, target_name }) =>
                    `${targets.join(', ')}${target_name === null ? '' : ` as ${target_name}`}`,
                },
                {
                  key: 'enabled',
                  title: 'On',
                  render: (rule) => <Switch rule={rule} mayChange={mayChange} />,
                },
                versionColumn,
                ...(mayChange
                  ? [
                      actionsColumn((rule: Rule) => ({
                        of: rule.name,
                        actions: [
                          { label: 'Change…', onAction: () => setChanged(rule) },
                          { label: 'Delete…', onAction: () => setDeleted(rule) },
                        ],
                      })),
                    ]
                  : []),
              ]}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
      {changed === undefined ? null : (
        <EditDialog
          objectId={changed.id}
          name={changed.name}
          fieldsOf={fields}
          outdates={outdates}
          renderAfter={(parts) => <Targets {...parts} />}
          onClose={() => setChanged(undefined)}
        />
      )}
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete ${deleted.name}?`}
          action="Delete"
          operation={operations.deleteCorrelationRule}
          input={{ correlation_rule_id: deleted.id }}
          outdates={outdates}
          onDone={() => restore.offer({ object_id: deleted.id }, deleted.name)}
          onClose={() => setDeleted(undefined)}
        >
          What it was applied to stays as it is. The rule can be brought back.
        </ConfirmCall>
      )}
    </Section>
  )
}

function Switch({ rule, mayChange }: { rule: Rule; mayChange: boolean }) {
  const call = useCall(operations.patchDesignObject, [
    ...outdates,
    operations.getDesignObject,
    operations.listDesignObjectVersions,
  ])
  if (!mayChange) return <Badge tone={rule.enabled ? 'better' : 'plain'}>{rule.enabled ? 'on' : 'off'}</Badge>
  return (
    <Checkbox
      isSelected={rule.enabled}
      isDisabled={call.isPending}
      onChange={(value) =>
        call.mutate(
          {
            object_id: rule.id,
            patch: [{ op: 'replace', path: '/enabled', value }],
            if_version: rule.version,
          },
          { onError: (error) => say(problemWords(error).detail) },
        )
      }
    >
      <span className="sr-only">{rule.name} is on</span>
    </Checkbox>
  )
}

function Frameworks({ projectId }: { projectId: string }) {
  const query = useAnswer(operations.listCorrelationRules, { project_id: projectId, limit: 1 })
  return (
    <Section title="Of frameworks">
      <p className="max-w-prose text-muted">
        Ready rules, which are applied to a virtual user under its Correlations.
      </p>
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {({ frameworks }) => (
          <ul className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {frameworks.map(({ id, title, rule_names }) => (
              <li key={id} className="rounded-lg border border-line bg-surface p-4">
                <details>
                  <summary className="cursor-pointer rounded-sm">
                    <span className="font-medium">{title}</span>{' '}
                    <span className="text-muted">
                      {rule_names.length === 1 ? '1 rule' : `${rule_names.length} rules`}
                    </span>
                  </summary>
                  <ul className="mt-2 text-sm text-muted">
                    {rule_names.map((name) => (
                      <li key={name}>{name}</li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Section>
  )
}

type CreateInput = RawInputOf<typeof operations.createCorrelationRule>

function NewRule({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [document, setDocument] = useState<JsonObject>(newRule)
  const call = useCall(operations.createCorrelationRule, outdates)
  const submit = () => {
    const { source: _source, target_name: name, ...rest } = document
    const input = {
      project_id: projectId,
      ...rest,
      ...sourceInput(document),
      ...(name === null ? {} : { target_name: name }),
    }
    call.mutate(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server judges what was written
      input as unknown as CreateInput,
      {
        onSuccess: ({ rule }) => {
          say(`${rule.name} is there.`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title="New correlation rule" isOpen onClose={onClose} wide>
      <DocumentForm
        document={document}
        fields={newRuleFields}
        onChange={setDocument}
        error={call.error}
        pointerOf={(field) => rulePointer(field, document)}
        isPending={call.isPending}
        action="Create"
        onSubmit={submit}
        onClose={onClose}
      >
        <Targets document={document} onChange={setDocument} />
      </DocumentForm>
    </Dialog>
  )
}

interface TargetsProps {
  document: JsonObject
  onChange: (document: JsonObject) => void
}

function Targets({ document, onChange }: TargetsProps) {
  const chosen = Array.isArray(document['targets']) ? document['targets'] : []
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
      <legend className="mb-1 text-sm font-medium">Is sent in</legend>
      {ruleTargets.map(({ id, label }) => (
        <Checkbox
          key={id}
          isSelected={chosen.includes(id)}
          onChange={(isSelected) =>
            onChange({
              ...document,
              targets: ruleTargets
                .map((target) => target.id)
                .filter((each) => (each === id ? isSelected : chosen.includes(each))),
            })
          }
        >
          {label}
        </Checkbox>
      ))}
    </fieldset>
  )
}
