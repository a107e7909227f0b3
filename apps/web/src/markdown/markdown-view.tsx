import { type ReactNode, useMemo } from 'react'
import { inOrder } from './in-order.ts'
import { MarkdownTable } from './markdown-table.tsx'
import { MarkdownLine } from './markdown-line.tsx'
import { type Block, parseMarkdown } from './parse-markdown.ts'

/** A markdown report as people see it where it is posted. Its headings lie under those of the page. */
export function MarkdownView({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return <div className="flex min-w-0 flex-col gap-3">{inOrder(blocks, renderBlock)}</div>
}

function renderBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return block.level <= 2 ? (
        <h3 className="mt-2 text-lg font-semibold first:mt-0">
          <MarkdownLine content={block.content} />
        </h3>
      ) : (
        <h4 className="mt-1 font-semibold">
          <MarkdownLine content={block.content} />
        </h4>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List className={`flex flex-col gap-1 pl-5 ${block.isOrdered ? 'list-decimal' : 'list-disc'}`}>
          {inOrder(block.items, (item) => (
            <li>
              <MarkdownLine content={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'code':
      return <pre className="rounded-md bg-sunken p-3 wrap-anywhere whitespace-pre-wrap">{block.text}</pre>
    case 'details':
      return (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm font-medium">
            <MarkdownLine content={block.summary} />
          </summary>
          <div className="flex flex-col gap-3 pt-3">{inOrder(block.content, renderBlock)}</div>
        </details>
      )
    case 'table':
      return <MarkdownTable {...block} />
    default:
      return (
        <p className="max-w-prose">
          <MarkdownLine content={block.content} />
        </p>
      )
  }
}
