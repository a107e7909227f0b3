import type { Action, Condition } from '../../model/action.ts'
import { type Telling, type Told, toldOf, Unmapped } from '../browser/telling.ts'
import type { UserDraft } from '../browser/user-draft.ts'
import { SourceError } from '../importer.ts'
import type { VariableDrafts } from '../variable-drafts.ts'
import { type CommandMapper, nameOf } from './command-mapper.ts'
import { type Block, type CommandNode, commandsIn, commandTree } from './command-tree.ts'
import { readCondition } from './condition.ts'
import type { Command, SideTest } from './project.ts'

/** Most commands that are followed, those of tests that others run as often as they are run. */
const followedMax = 50_000

/** Follows the commands of a test: blocks become actions with others inside, tests that it runs become containers. */
export class FlowMapper {
  readonly #draft: UserDraft
  readonly #commands: CommandMapper
  readonly #variables: VariableDrafts
  readonly #tests: ReadonlyMap<string, SideTest>
  /** What became of the commands of the test; those of tests that it runs are told of where they stand. */
  readonly told = new Map<Command, Told>()
  /** Names of the tests that are followed at the moment, from the outermost. */
  readonly #running: string[] = []
  #followed = 0

  constructor(
    draft: UserDraft,
    commands: CommandMapper,
    variables: VariableDrafts,
    tests: ReadonlyMap<string, SideTest>,
  ) {
    this.#draft = draft
    this.#commands = commands
    this.#variables = variables
    this.#tests = tests
  }

  /** Follows a test. */
  map({ name, commands }: Pick<SideTest, 'name' | 'commands'>): void {
    this.#running.push(name)
    this.#followAll(commandTree(commands))
    this.#running.pop()
  }

  #followAll(nodes: readonly CommandNode[]): void {
    for (const node of nodes) {
      if (++this.#followed > followedMax)
        throw new SourceError(`It comes to more than ${followedMax} commands.`, node.command.place)
      const told = toldOf((telling) => {
        if (node.block !== null) this.#followBlock(node.command, node.block, telling)
        else if (node.command.name === 'run' && !node.command.isDisabled) this.#run(node.command, telling)
        else this.#commands.map(node.command, telling)
      })
      this.#tell(node.command, told)
      if (node.block === null) continue
      if (told.outcome === 'dropped') this.#dropInside(node)
      else this.#tellEnds(node.block, told)
    }
  }

  #followBlock(command: Command, block: Block, telling: Telling): void {
    const [first, ...others] = block.branches
    const body = (): Action[] => this.#nested(command, first!.body)
    switch (command.name) {
      case 'if': {
        const condition = conditionOf(command.target, telling)
        // All conditions are read before anything is done: a block is imported as a whole or not at all.
        const conditions = others.map((branch) =>
          branch.command?.name === 'elseIf' ? conditionOf(branch.command.target, telling) : null,
        )
        const actions = body()
        const elseActions = this.#otherwise(command, others, conditions)
        telling.actionId = this.#draft.add({
          type: 'if',
          name: `if ${command.target}`.slice(0, 200),
          condition,
          actions,
          else_actions: elseActions,
        })
        break
      }
      case 'while': {
        const condition = conditionOf(command.target, telling)
        telling.actionId = this.#draft.add({
          type: 'while',
          name: `while ${command.target}`.slice(0, 200),
          condition,
          iterations_max: iterationsMax(command.value),
          actions: body(),
        })
        break
      }
      case 'times': {
        const count = command.target.trim()
        if (!/^(?:\d{1,6}|\$\{[\w.-]+\})$/.test(count))
          throw new Unmapped('How often it is repeated is no number.')
        telling.actionId = this.#draft.add({ type: 'loop', name: `${count} times`, count, actions: body() })
        break
      }
      case 'forEach': {
        const list = nameOf(command.target)
        const variable = nameOf(command.value)
        telling.actionId = this.#draft.add({
          type: 'for_each',
          name: `for each ${list}`,
          list,
          variable,
          actions: body(),
        })
        break
      }
      default:
        this.#followDo(command, block, telling)
    }
    if (block.end === null) telling.note('Its end is missing: it goes on to the end of the test.')
  }

  /** What is done at least once: a loop that a variable lets in the first time. */
  #followDo(command: Command, { branches, end }: Block, telling: Telling): void {
    if (end === null) throw new Unmapped('Its repeatIf is missing.')
    const { combine, comparisons } = conditionOf(end.target, telling)
    if (combine === 'all' && comparisons.length > 1)
      throw new Unmapped('It is repeated when several things are so at once, which cannot be imported.')
    const first = this.#variables.reserve('first_time')
    this.#draft.add({ type: 'set_variable', name: 'Begin a loop', variable: first, value: 'yes' })
    const condition: Condition = {
      combine: 'any',
      comparisons: [{ left: `\${${first}}`, operator: 'equals', right: 'yes' }, ...comparisons],
    }
    const actions = this.#draft.nested('do', () => {
      this.#draft.add({
        type: 'set_variable',
        name: 'Not the first time any more',
        variable: first,
        value: 'no',
      })
      this.#followAll(branches[0]!.body)
    })
    telling.actionId = this.#draft.add({
      type: 'while',
      name: `repeat if ${end.target}`.slice(0, 200),
      condition,
      iterations_max: iterationsMax(command.value),
      actions,
    })
  }

  /** An `elseIf` is a condition among what is done otherwise. */
  #otherwise(
    command: Command,
    [branch, ...others]: Block['branches'],
    [condition, ...conditions]: (Condition | null)[],
  ): Action[] {
    if (branch === undefined) return []
    if (condition === null || condition === undefined) return this.#nested(command, branch.body)
    return this.#draft.nested('else', () => {
      const actions = this.#nested(command, branch.body)
      const elseActions = this.#otherwise(command, others, conditions)
      this.#draft.add({
        type: 'if',
        name: `if ${branch.command?.target ?? ''}`.slice(0, 200),
        condition,
        actions,
        else_actions: elseActions,
      })
    })
  }

  #nested(command: Command, body: readonly CommandNode[]): Action[] {
    return this.#draft.nested(command.name, () => this.#followAll(body))
  }

  #run(command: Command, telling: Telling): void {
    const test = this.#tests.get(command.target.trim())
    if (test === undefined) throw new Unmapped('There is no test of this name in the project.')
    if (this.#running.includes(test.name))
      throw new Unmapped('Tests that run each other in a circle never end.')
    telling.actionId = this.#draft.group(test.name, () => this.map(test))
    if (telling.actionId === null) telling.note('Nothing of the test that it runs could be imported.')
  }

  #tell(command: Command, told: Told): void {
    if (this.#running.length === 1) this.told.set(command, told)
  }

  #tellEnds({ branches, end }: Block, { actionId }: Told): void {
    for (const command of [...branches.map((branch) => branch.command), end])
      if (command !== null) this.#tell(command, { outcome: 'mapped', note: null, actionId })
  }

  #dropInside(node: CommandNode): void {
    for (const command of commandsIn(node))
      if (command !== node.command)
        this.#tell(command, {
          outcome: 'dropped',
          note: `It is inside of "${node.command.name}", which cannot be imported.`,
          actionId: null,
        })
  }
}

function conditionOf(text: string, telling: Telling): Condition {
  const condition = readCondition(text)
  if (condition === undefined)
    throw new Unmapped(
      'The condition is more than comparisons of variables, texts and numbers. Write it in simpler words.',
    )
  if (condition.comparisons.some(({ operator }) => operator === 'empty' || operator === 'not_empty'))
    telling.note('A variable counts as true when it is not empty.')
  return condition
}

function iterationsMax(value: string): number {
  const count = Number(value)
  return Number.isInteger(count) && count >= 1 && count <= 1_000_000 ? count : 1000
}
