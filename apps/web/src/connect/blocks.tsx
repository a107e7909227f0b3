import type { Block } from '@flamegate/connect'
import { buttonClass } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { inOrder } from '../markdown/in-order.ts'
import { MarkdownView } from '../markdown/markdown-view.tsx'

/** Sentences, links that open a client, and what to copy. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return <div className="flex min-w-0 flex-col gap-2.5">{inOrder(blocks, renderBlock)}</div>
}

function renderBlock(block: Block) {
  if (typeof block === 'string') return <MarkdownView text={block} />
  if ('link' in block) {
    return (
      <a href={block.link} className={buttonClass('primary', 'self-start')}>
        {block.label}
      </a>
    )
  }
  const { label, copy, file } = block
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {file === undefined ? null : <code className="text-sm text-muted">{file}</code>}
      <CopyField label={label} hideLabel value={copy} />
    </div>
  )
}
