/** A commit as its short hash and the first line of its message, on one line; on narrow screens the message, if it has one. */
export function Commit({ hash, message }: { hash: string; message: string }) {
  const [firstLine = ''] = message.split('\n')
  return (
    <span className="block truncate" title={`${hash} ${message}`}>
      <code className={`text-muted ${firstLine === '' ? '' : 'max-sm:hidden'}`}>{hash.slice(0, 9)}</code>{' '}
      {firstLine}
    </span>
  )
}
