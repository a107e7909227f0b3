import { readJsonLines } from '../json-lines.ts'
import type { JsonValue } from '../json-value.ts'
import type { Reading } from '../reader.ts'
import type { WarningList } from '../warning-list.ts'
import { named } from './console.ts'
import { gungraunResult } from './tool-metrics.ts'
import type { ToolMetrics } from './tool-metrics.ts'

const SUMMARY_LINE = /^\{"(?:baselines|version)":.*"module_path":/

export function isGungraunSummary(json: JsonValue): boolean {
  return json.get('module_path').value !== undefined && json.get('function_name').value !== undefined
}

export function isGungraunSummaries(text: string): boolean {
  return new RegExp(SUMMARY_LINE, 'm').test(text)
}

/** Reads `--output-format=json`: a summary per line, among what cargo prints. */
export function readGungraunSummaries(text: string, warnings: WarningList): Reading {
  const results = readJsonLines(text, SUMMARY_LINE, (json) => readGungraunSummary(json, warnings).results)
  return { environment: {}, results }
}

/**
 * Reads one `summary.json` of version 4 to 6; those before iai-callgrind 0.15 have no `profiles`.
 * @see https://github.com/gungraun/gungraun/tree/main/iai-callgrind-runner/schemas
 */
export function readGungraunSummary(json: JsonValue, warnings: WarningList): Reading {
  const id = json.get('id')
  const own = named(json.get('module_path').text(), id.isMissing ? undefined : id.text())
  const tools = json.get('profiles').items().map(readProfile)
  return { environment: {}, results: gungraunResult({ ...own, place: own.uri, tools }, warnings) }
}

/** `total.summary` is `{"Callgrind": {"Ir": {"metrics": {"Left": {"Int": 1734}}}}}`. */
function readProfile(profile: JsonValue): ToolMetrics {
  const tool = profile.get('tool').text().toLowerCase()
  const summary = profile.get('summaries').get('total').get('summary')
  const numbers = new Map<string, number>()
  // Some tools only write files, and their summary is the word "None".
  for (const kind of summary.isObject ? summary.keys() : []) {
    const metrics = summary.get(kind)
    for (const name of metrics.isObject ? metrics.keys() : []) {
      const value = newValue(metrics.get(name).get('metrics'))
      if (value !== undefined) numbers.set(name, value)
    }
  }
  return { tool, numbers }
}

/** `Left` is this run; in `Both` it is the first; `Right` alone is a run before. */
function newValue(metrics: JsonValue): number | undefined {
  const both = metrics.get('Both')
  const value = both.isMissing ? metrics.get('Left') : both.items()[0]
  if (!value || value.isMissing) return undefined
  return value.get('Int').isMissing ? value.get('Float').amount() : value.get('Int').amount()
}
