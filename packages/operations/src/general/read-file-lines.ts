import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getFile } from './get-file.ts'
import { BrokenGzip, NotText, textLines, TooMuchText } from './text-lines.ts'
import { windowOf } from './line-window.ts'

const limits = {
  lineCharacters: 2_000,
  /** 128 MiB take about a second; the end of anything larger is for a program to read. */
  textBytes: 128 * 1024 * 1024,
}

/** What one answer holds, about 8,000 tokens. */
const mostCharacters = 24_000

export const readFileLines = implement(operations.readFileLines)(async (input, context) => {
  const { file, page } = await getFile(context, input.file_id)
  const content = await context.deps.storage.open(file.storageKey)
  if (content === undefined) {
    throw new Problem('upload_missing', 'This file was announced, but nothing was uploaded yet.')
  }
  try {
    const found = await windowOf(textLines(content, limits), {
      fromLine: input.from_line,
      limit: input.limit,
      contains: input.contains,
      contextLines: input.context_lines,
      mostCharacters,
    })
    return {
      file_id: file.id,
      name: file.name,
      lines: found.lines.map((line) => ({
        number: line.number,
        text: line.text,
        matches: line.isMatch,
        cut: line.isCut,
      })),
      next_line: found.nextLine,
      line_count: found.lineCount,
      page,
    }
  } catch (error) {
    throw problemOf(error) ?? error
  }
})

function problemOf(cause: unknown): Problem | undefined {
  const hint = [operations.downloadFile, 'gives it whole'] as const
  if (cause instanceof NotText) {
    return new Problem('not_text', 'This file is binary.', { cause, hint })
  }
  if (cause instanceof BrokenGzip) {
    return new Problem('not_text', 'This file begins as gzip and cannot be unpacked.', { cause, hint })
  }
  if (cause instanceof TooMuchText) {
    return new Problem(
      'too_large',
      `What was asked for lies beyond the first ${limits.textBytes / 1024 / 1024} MiB of text.`,
      { cause, hint },
    )
  }
  return undefined
}
