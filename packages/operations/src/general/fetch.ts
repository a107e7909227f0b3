import {
  idPrefixes,
  operations,
  Problem,
  searchKinds,
  type Operation,
  type SearchKind,
} from '@flamegate/contract'
import type { z } from 'zod'
import { getBenchmarkHistory } from '../benchmarks/get-benchmark-history.ts'
import { getRun } from '../benchmarks/get-run.ts'
import { implement, type CallContext, type Implementation } from '../implement.ts'
import { getProfile } from '../profiles/get-profile.ts'
import { getBenchReport } from '../reports/get-bench-report.ts'
import { getReportInsights } from '../reports/get-report-insights.ts'
import { getVirtualUser } from '../virtual-users/get-virtual-user.ts'
import { getProject } from '../workspace/get-project.ts'
import { pagePath } from './page-path.ts'

/** 8,000 tokens, at the three characters per token that names and numbers come to. */
const mostCharacters = 24_000

export const fetch = implement(operations.fetch)(async ({ id }, context) => {
  const kind = kindOf(id)
  const { title, projectId, text, isPart = false, more } = await documents[kind](id, context)
  const isTooLong = text.length > mostCharacters
  return {
    id,
    title,
    text: isTooLong ? `${cutAtLine(text)}\n\n_truncated: yes. ${more}_` : text,
    metadata: { kind, project_id: projectId, truncated: isTooLong || isPart },
    page: pagePath(kind, id),
  }
})

interface FetchedDocument {
  title: string
  projectId: string
  text: string
  /** Whether the operation told a part only, and said how to go on. */
  isPart?: boolean
  /** Where the rest is, when the text is too long. */
  more: string
}

/** Each is the answer of the operation that shows such a thing, as that operation writes it in markdown. */
const documents: Record<SearchKind, (id: string, context: CallContext) => Promise<FetchedDocument>> = {
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
  async virtual_user(id, context) {
    const input = { virtual_user_id: id }
    const { answer, text } = await shown(operations.getVirtualUser, getVirtualUser, input, context)
    return {
      title: answer.virtual_user.name,
      projectId: answer.virtual_user.project_id,
      text,
      isPart: answer.truncated,
      more: `get_virtual_user with virtual_user_id ${id} and an action_id has what is in one action.`,
    }
  },
  async report(id, context) {
    const input = { bench_report_id: id }
    const { answer, text } = await shown(operations.getBenchReport, getBenchReport, input, context)
    const insights = await shown(operations.getReportInsights, getReportInsights, input, context)
    return {
      title: answer.bench_report.name,
      projectId: answer.bench_report.project_id,
      text: [insights.text, text].join('\n\n'),
      more: `get_report_item_values with bench_report_id ${id} has the numbers of one item.`,
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

const prefixes: Record<SearchKind, string> = {
  project: idPrefixes.project,
  run: idPrefixes.run,
  benchmark: idPrefixes.benchmark,
  profile: idPrefixes.profile,
  virtual_user: idPrefixes.virtualUser,
  report: idPrefixes.benchReport,
}

function kindOf(id: string): SearchKind {
  const kind = searchKinds.find((each) => id.startsWith(`${prefixes[each]}_`))
  if (kind === undefined) {
    throw new Problem(
      'document_not_found',
      'Take the id of a result of search: it begins with prj_, run_, ben_, prf_, vu_ or rep_.',
    )
  }
  return kind
}

function cutAtLine(text: string): string {
  const end = text.lastIndexOf('\n', mostCharacters)
  return text.slice(0, end === -1 ? mostCharacters : end)
}
