import type { AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'

type Order = AnswerOf<typeof operations.loadTestMcpServer>

/** What came of an order: a session that a collector measures, or the commands for a person. */
export function Ordered({ order, onDone }: { order: Order; onDone: () => void }) {
  const { session, collector, commands, notes } = order
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {session === null ? (
        <>
          <p>No connected collector may measure this server. Run this where it is; the report comes here.</p>
          {commands.map(({ title, command }) => (
            <CopyField key={title} label={title} value={command} />
          ))}
        </>
      ) : (
        <p>
          The collector {collector} measures it:{' '}
          <Link
            to="/mcp-sessions/$mcpSessionId"
            params={{ mcpSessionId: session.id }}
            className="font-medium underline"
          >
            the session
          </Link>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="text-sm text-muted">
          {note}
        </p>
      ))}
      <div className="flex justify-end">
        <Button variant="primary" onPress={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
