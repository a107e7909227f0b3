import { idPrefixes, operations, Problem, type Operation } from '@flamegate/contract'
import type { z } from 'zod'
import { getBenchmarkHistory } from '../benchmarks/get-benchmark-history.ts'
import { getRun } from '../benchmarks/get-run.ts'
import { implement, type CallContext, type Implementation } from '../implement.ts'
import type { SearchHit } from '../ports/index.ts'
import { getProfile } from '../profiles/get-profile.ts'
import { getProject } from '../workspace/get-project.ts'
import { pagePath } from './page-path.ts'

/** 8,000 tokens, at the three characters per token that names and numbers come to. */
const mostCharacters = 24_000

export const fetch = implement(operations.fetch)(async ({ id }, context) => {
  const kind = kindOf(id)
  const { title, projectId, text, more } = await documents[kind](id, context)
  const truncated = text.length > mostCharacters
  return {
    id,
    title,
    text: truncated ? `${cutAtLine(text)}\n\n_truncated: yes. ${more}_` : text,
    metadata: { kind, project_id: projectId, truncated },
    page: pagePath(kind, id),
  }
})

interface FetchedDocument {
  title: string
  projectId: string
  text: string
  /** Where the rest is, when the text is too long. */
  more: string
}

/** Each is the answer of the operation that shows such a thing, as that operation writes it in markdown. */
const documents: Record<SearchHit['kind'], (id: string, context: CallContext) => Promise<FetchedDocument>> = {
  async project(id, context) {
    const { answer, text } = await shown(operations.getProject, getProject, { project_id: id }, context)
    return {
      title: answer.project.name,
      projectId: answer.project.id,
      text,
      more: `list_runs and list_benchmarks with repository ${id} show what is in it.`,
    }
  },
  async run(id, context) {
    const input = { run_id: id, limit: 300 }
    const { answer, text } = await shown(operations.getRun, getRun, input, context)
    return {
      title: `${answer.run.branch} ${answer.run.commit_hash.slice(0, 9)}`,
      projectId: answer.run.project_id,
      text,
      more: `get_run with run_id ${id} has all results as data, up to its limit.`,
    }
  },
  async benchmark(id, context) {
    const input = { benchmark_id: id }
    const { answer, text } = await shown(operations.getBenchmarkHistory, getBenchmarkHistory, input, context)
    return {
      title: answer.benchmark.name,
      projectId: answer.benchmark.project_id,
      text,
      more: `get_benchmark_history with benchmark_id ${id} and a smaller limit, or one branch, shows less at a time.`,
    }
  },
  async profile(id, context) {
    const { answer, text } = await shown(operations.getProfile, getProfile, { profile_id: id }, context)
    return {
      title: answer.profile.name,
      projectId: answer.profile.project_id,
      text,
      more: `get_profile with profile_id ${id} has all of it as data.`,
    }
  },
}

/** What an operation answers, as data and as markdown. */
async function shown<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  operation: Operation<Input, Output>,
  implementation: Implementation,
  input: z.input<z.ZodObject<Input>>,
  context: CallContext,
): Promise<{ answer: z.output<z.ZodObject<Output>>; text: string }> {
  const answer = operation.output.parse(await implementation.handle(operation.input.parse(input), context))
  return { answer, text: operation.markdown(answer) }
}

const kinds = ['project', 'run', 'benchmark', 'profile'] as const

function kindOf(id: string): SearchHit['kind'] {
  const kind = kinds.find((each) => id.startsWith(`${idPrefixes[each]}_`))
  if (kind === undefined) {
    throw new Problem(
      'document_not_found',
      'Take the id of a result of search: it begins with prj_, run_, ben_ or prf_.',
    )
  }
  return kind
}

function cutAtLine(text: string): string {
  const end = text.lastIndexOf('\n', mostCharacters)
  return text.slice(0, end === -1 ? mostCharacters : end)
}
