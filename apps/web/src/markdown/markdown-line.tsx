import type { ReactNode } from 'react'
import { inOrder } from './in-order.ts'
import type { Inline } from './parse-markdown.ts'

/** A line of markdown with its marks. */
export function MarkdownLine({ content }: { content: readonly Inline[] }) {
  return inOrder(content, renderInline)
}

function renderInline(part: Inline): ReactNode {
  switch (part.kind) {
    case 'strong':
      return <strong>{part.text}</strong>
    case 'emphasis':
      return <em>{part.text}</em>
    case 'code':
      return <code className="rounded-sm bg-hover px-1">{part.text}</code>
    case 'link':
      return (
        <a href={part.href} className="text-link">
          <MarkdownLine content={part.content} />
        </a>
      )
    default:
      return part.text
  }
}
