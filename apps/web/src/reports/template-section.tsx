import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Section } from '../components/section.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'

type Template = AnswerOf<typeof operations.listReportTemplates>['templates'][number]

/** The templates that reports of a project are made from; nothing without any. */
export function TemplateSection({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const [deleted, setDeleted] = useState<Template>()
  const templates = useAnswer(operations.listReportTemplates, { project_id: projectId }).data?.templates ?? []
  if (templates.length === 0) return null
  return (
    <Section title="Templates">
      <DataTable
        label="Templates"
        rows={templates}
        rowKey={({ id }) => id}
        stacks
        whenEmpty="No templates."
        columns={[
          {
            key: 'name',
            title: 'Template',
            grow: true,
            render: ({ name }) => <span className="block truncate font-medium">{name}</span>,
          },
          {
            key: 'items',
            title: 'Items',
            align: 'right',
            render: ({ item_count: count }) => (
              <span>
                {count}
                <span className="text-muted sm:hidden"> items</span>
              </span>
            ),
          },
          {
            key: 'made',
            title: 'Made',
            align: 'right',
            render: ({ created_at }) => <When at={created_at} />,
          },
          ...(mayChange
            ? [
                {
                  key: 'actions',
                  title: 'Actions',
                  align: 'right' as const,
                  render: (template: Template) => (
                    <Button
                      aria-label={`Delete template ${template.name}`}
                      onPress={() => setDeleted(template)}
                    >
                      Delete
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete ${deleted.name}?`}
          action="Delete"
          operation={operations.deleteReportTemplate}
          input={{ template_id: deleted.id }}
          outdates={[operations.listReportTemplates]}
          onDone={() => say(`${deleted.name} is deleted.`)}
          onClose={() => setDeleted(undefined)}
        >
          Reports that were made from it stay.
        </ConfirmCall>
      )}
    </Section>
  )
}
