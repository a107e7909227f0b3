import type { Command } from './project.ts'

/** A command, or a block of them that belongs to control flow. */
export interface CommandNode {
  command: Command
  /** Null for a command that is no block. */
  block: Block | null
}

export interface Block {
  /** The first has no command but that of the block; later ones have `elseIf` or `else`. */
  branches: { command: Command | null; body: CommandNode[] }[]
  /** `end` or `repeatIf`; null where the test ends before the block does. */
  end: Command | null
}

const opening = new Set(['if', 'while', 'times', 'forEach', 'do'])

/** Puts commands into their blocks. What closes or divides a block that is not open is a command like any other. */
export function commandTree(commands: readonly Command[]): CommandNode[] {
  const root: CommandNode[] = []
  const open: { name: string; block: Block }[] = []
  for (const command of commands) {
    const around = open.at(-1)
    const body = around === undefined ? root : around.block.branches.at(-1)!.body
    const { name } = command
    if (command.isDisabled) body.push({ command, block: null })
    else if (opening.has(name)) {
      const block: Block = { branches: [{ command: null, body: [] }], end: null }
      body.push({ command, block })
      open.push({ name, block })
    } else if (around !== undefined && closes(name, around.name)) {
      around.block.end = command
      open.pop()
    } else if (around?.name === 'if' && (name === 'elseIf' || name === 'else'))
      around.block.branches.push({ command, body: [] })
    else body.push({ command, block: null })
  }
  return root
}

function closes(name: string, opened: string): boolean {
  return opened === 'do' ? name === 'repeatIf' : name === 'end'
}

/** A command and all in its block, in the order of the source. */
export function* commandsIn(node: CommandNode): Generator<Command> {
  const open: (CommandNode | Command)[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('command' in next)) {
      yield next
      continue
    }
    yield next.command
    if (next.block === null) continue
    const { branches, end } = next.block
    const parts = branches.flatMap(({ command, body }) => [...(command === null ? [] : [command]), ...body])
    open.push(...[...parts, ...(end === null ? [] : [end])].toReversed())
  }
}
