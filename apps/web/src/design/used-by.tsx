import type { AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'

type Users = AnswerOf<typeof operations.listVariables>['variables'][number]['used_by']

const shownUsers = 3

/** What names a thing, with links to the virtual users among it. */
export function UsedBy({ users }: { users: Users }) {
  if (users.length === 0) return <span className="text-muted max-sm:hidden">nothing</span>
  return (
    <span className="flex flex-wrap gap-x-2">
      {users.slice(0, shownUsers).map(({ id, kind, name }) =>
        kind === 'virtual_user' ? (
          <Link
            key={id}
            to="/virtual-users/$virtualUserId"
            params={{ virtualUserId: id }}
            className="min-w-0 truncate text-link"
          >
            {name}
          </Link>
        ) : (
          <span key={id}>{name}</span>
        ),
      )}
      {users.length > shownUsers ? (
        <span className="text-muted">and {users.length - shownUsers} more</span>
      ) : null}
    </span>
  )
}
