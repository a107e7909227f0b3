/** A commit as its short hash and the first line of its message, on one line. */
export function Commit({ hash, message }: { hash: string; message: string }) {
  return (
    <span className="block truncate" title={`${hash} ${message}`}>
      <code className="text-muted max-sm:hidden">{hash.slice(0, 9)}</code> {message.split('\n')[0]}
    </span>
  )
}
