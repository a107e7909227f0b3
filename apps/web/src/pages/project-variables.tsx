import { operations, type AnswerOf } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { useRestore } from '../design/use-restore.ts'
import { UnsetSecrets } from '../design/unset-secrets.tsx'
import { UsedBy } from '../design/used-by.tsx'
import { EditVariable, NewVariable } from '../design/variable-dialogs.tsx'
import { variableTypes } from '../design/variable-fields.ts'
import { versionColumn } from '../design/version-column.tsx'
import { usePages } from '../paged.ts'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { textOf } from '../documents/json.ts'

const route = getRouteApi('/app/projects/$projectId/variables')

type Variable = AnswerOf<typeof operations.listVariables>['variables'][number]

const outdates = [operations.listVariables, operations.sanityCheckVirtualUser]

/** Values that requests of virtual users can name. */
export function ProjectVariablesPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const { query, more } = usePages(
    operations.listVariables,
    { project_id: projectId, limit: 100 },
    ({ variables, next_cursor }) => ({ rows: variables, nextCursor: next_cursor }),
  )
  const restore = useRestore(operations.restoreDesignObject, outdates)
  const [isNew, setNew] = useState(false)
  const [changed, setChanged] = useState<Variable>()
  const [deleted, setDeleted] = useState<Variable>()
  const add = (
    <Button variant="primary" onPress={() => setNew(true)}>
      <PlusIcon />
      New variable
    </Button>
  )
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="Variables"
      lead="Values that requests name as ${name}, instead of having them written in"
      actions={mayChange ? add : undefined}
    >
      <DesignTabs projectId={projectId} current="variables" />
      <UnsetSecrets projectId={projectId} />
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(variables) =>
          variables.length === 0 ? (
            <EmptyState title="No variables yet">
              <p>
                A variable gives each iteration its own value: a row of a CSV file, a counter, a random
                number, the time. Passwords and tokens are secrets, which are stored encrypted. An import
                makes those that it finds.
              </p>
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Variables"
                rows={variables}
                rowKey={({ id }) => id}
                stacks
                whenEmpty=""
                columns={[
                  {
                    key: 'name',
                    title: 'Name',
                    grow: true,
                    render: ({ name, description }) => (
                      <span className="block min-w-0">
                        <code className="block truncate font-medium">{`\${${name}}`}</code>
                        <span className="block truncate text-sm text-muted">{description}</span>
                      </span>
                    ),
                  },
                  {
                    key: 'type',
                    title: 'Type',
                    render: ({ type }) => <Badge>{typeWords(type)}</Badge>,
                  },
                  {
                    key: 'settings',
                    title: 'Values',
                    hideBelow: 'sm',
                    render: (variable) =>
                      variable.needs_value ? (
                        <Badge tone="caution">needs a value</Badge>
                      ) : (
                        <span className="block max-w-96 truncate" title={settingWords(variable)}>
                          {settingWords(variable)}
                        </span>
                      ),
                  },
                  {
                    key: 'used',
                    title: 'Used by',
                    render: ({ used_by }) => <UsedBy users={used_by} />,
                  },
                  versionColumn,
                  ...(mayChange
                    ? [
                        actionsColumn((variable: Variable) => ({
                          of: variable.name,
                          actions: [
                            { label: 'Change…', onAction: () => setChanged(variable) },
                            { label: 'Delete…', onAction: () => setDeleted(variable) },
                          ],
                        })),
                      ]
                    : []),
                ]}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
      {isNew ? <NewVariable projectId={projectId} onClose={() => setNew(false)} /> : null}
      {changed === undefined ? null : (
        <EditVariable variable={changed} onClose={() => setChanged(undefined)} />
      )}
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete \${${deleted.name}}?`}
          action="Delete"
          operation={operations.deleteVariable}
          input={{ variable_id: deleted.id }}
          outdates={outdates}
          onDone={() => restore.offer({ object_id: deleted.id }, `\${${deleted.name}}`)}
          onClose={() => setDeleted(undefined)}
        >
          Only what nothing uses can be deleted. It can be brought back.
        </ConfirmCall>
      )}
    </ProjectPage>
  )
}

function typeWords(type: string): string {
  return variableTypes.find(({ id }) => id === type)?.label ?? type
}

/** What a variable gives, in a line. */
function settingWords({ type, settings }: Variable): string {
  const said = (name: string) => textOf(settings[name])
  switch (type) {
    case 'constant':
      return said('value')
    case 'csv':
      return `${said('path')}, ${said('order')}`
    case 'counter':
      return `from ${said('start')} by ${said('step')}${settings['end'] === null ? '' : ` to ${said('end')}`}`
    case 'random_number':
      return `${said('min')} to ${said('max')}`
    case 'random_text':
      return `${said('length')} characters`
    case 'date_time':
      return said('format')
    case 'list':
      return Array.isArray(settings['values']) ? settings['values'].join(', ') : ''
    case 'secret':
      return '••••••'
    default:
      return ''
  }
}
