import { z } from 'zod'
import { idPrefixes, type IdKind } from './id.ts'

/** Fields that many operations share, so that one thing has one name, one rule and one description. */

function id(kind: IdKind, what: string) {
  return z.string().min(1).max(64).describe(`${what} (${idPrefixes[kind]}_…).`)
}

export const workspaceId = id('workspace', 'Id of the workspace; list_workspaces shows them')
export const projectId = id('project', 'Id of the project; list_projects shows them')
export const benchmarkId = id('benchmark', 'Id of the benchmark; list_benchmarks shows them')
export const profileId = id('profile', 'Id of the profile; list_profiles shows them')
export const virtualUserId = id('virtualUser', 'Id of the virtual user; list_virtual_users shows them')
export const scenarioId = id('scenario', 'Id of the scenario; list_scenarios shows them')
export const scheduleId = id('schedule', 'Id of the schedule; list_scheduled_jobs shows them')
export const shareLinkId = id('shareLink', 'Id of the link')
export const fileId = id('file', 'Id of the file')
export const taskId = id('task', 'Id of the task')
export const loadGeneratorId = id('loadGenerator', 'Id of the load generator')
export const benchShardId = id('benchShard', 'Id of the shard')
export const benchResultId = id('benchResult', 'Id of the bench result')
export const benchReportId = id('benchReport', 'Id of the report; list_bench_reports shows them')
export const collectorId = id('collector', 'Id of the collector')
export const liveAppId = id('liveApp', 'Id of the live app; list_live_apps shows them')
export const liveRecordingId = id('liveRecording', 'Id of the live recording')
/** What a question about a program is asked of. */
export const liveSourceId = z
  .string()
  .min(1)
  .max(64)
  .describe(`Id of a live app (${idPrefixes.liveApp}_…) or recording (${idPrefixes.liveRecording}_…).`)
export const mcpTargetId = id('mcpTarget', 'Id of the MCP target; list_mcp_targets shows them')
export const mcpSessionId = id('mcpSession', 'Id of the session')
export const apiTokenId = id('apiToken', 'Id of the API token')

export const email = z.email().max(254).toLowerCase().describe('E-mail address.')
export const timestamp = z.iso.datetime().describe('UTC, ISO 8601.')
export const tags = z.array(z.string().min(1).max(60)).max(20).describe('Free words to find it by.')
export const repository = z
  .string()
  .max(200)
  .regex(/^[\w.-]+\/[\w.-]+$/, 'Write it as owner/name.')
  .describe('Repository on the forge, as owner/name.')
export const branch = z.string().min(1).max(250).describe('Branch name.')

/** How long a read may wait for news: less than proxies let a request take. */
export const waitSeconds = (words: string) => z.number().int().min(0).max(45).default(0).describe(words)
