import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Answer } from '../components/answer.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { StartValidation } from '../validation/start-validation.tsx'
import { ValidationState } from '../validation/validation-state.tsx'
import { VirtualUserFrame } from '../validation/virtual-user-frame.tsx'

const route = getRouteApi('/app/virtual-users/$virtualUserId/validations')

/** Every functional check of a virtual user. */
export function VirtualUserValidationsPage() {
  const { virtualUserId } = route.useParams()
  const { query, more } = usePages(
    operations.listValidations,
    { virtual_user_id: virtualUserId, limit: 50 },
    ({ validations, next_cursor }) => ({ rows: validations, nextCursor: next_cursor }),
  )
  return (
    <VirtualUserFrame
      virtualUserId={virtualUserId}
      current="/validations"
      title="Validations"
      lead="One user, against the real servers, laid beside the recording"
      actions={<StartValidation virtualUserId={virtualUserId} label="Validate" />}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={5} />}>
        {(validations) =>
          validations.length === 0 ? (
            <EmptyState title="Never validated yet">
              <p>
                A validation runs the virtual user once and shows every request and answer. Values that are
                stale fail here first, and are found under Correlations.
              </p>
              <StartValidation virtualUserId={virtualUserId} label="Validate it now" />
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Validations"
                rows={validations}
                rowKey={({ id }) => id}
                stacks
                whenEmpty=""
                columns={[
                  {
                    key: 'state',
                    title: 'Outcome',
                    grow: true,
                    render: ({ id, state, message }) => (
                      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                        <ValidationState state={state} />
                        <Link
                          to="/virtual-users/$virtualUserId/validations/$validationId"
                          params={{ virtualUserId, validationId: id }}
                          className="row-link min-w-0 font-medium"
                        >
                          {message}
                        </Link>
                      </span>
                    ),
                  },
                  {
                    key: 'version',
                    title: 'Version',
                    align: 'right',
                    render: ({ version }) => (
                      <span>
                        <span className="sm:hidden">Version </span>
                        {version}
                      </span>
                    ),
                  },
                  {
                    key: 'iterations',
                    title: 'Iterations',
                    align: 'right',
                    hideBelow: 'sm',
                    render: ({ iterations }) => iterations,
                  },
                  { key: 'when', title: 'When', render: ({ created_at }) => <When at={created_at} /> },
                ]}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
    </VirtualUserFrame>
  )
}
