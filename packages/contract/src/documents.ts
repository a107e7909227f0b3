import type { z } from 'zod'
import { getBenchmarkResult, getRun, submitBenchmarkResults } from './benchmarks/index.ts'
import { getTaskResult, listFiles } from './general/index.ts'
import { jsonSchema, type JsonSchema } from './json-schema.ts'
import { getProfile } from './profiles/index.ts'
import { getProject } from './workspace/index.ts'

/** A kind of document that travels over REST and MCP, for programs that want to check or make one. */
export interface WireDocument {
  /** `run`: the schema's file is `run.json`. */
  name: string
  title: string
  description: string
  /** JSON Schema 2020-12. */
  schema: JsonSchema
}

/** Documents that people and programs handle outside of calls, from the schemas that the operations use. */
export function wireDocuments(): WireDocument[] {
  return [
    answered('project', 'Project', 'A project, as get_project answers it.', getProject.output.shape.project),
    answered('run', 'Run', 'A benchmark run, as get_run and list_runs answer it.', getRun.output.shape.run),
    answered(
      'benchmark-result',
      'Benchmark result',
      'What one benchmark measured in one run, as get_benchmark_result answers it.',
      getBenchmarkResult.output.shape.result,
    ),
    answered(
      'profile',
      'Profile',
      'A profile, as get_profile and list_profiles answer it.',
      getProfile.output.shape.profile,
    ),
    answered(
      'file',
      'File',
      'An uploaded file, as list_files answers it.',
      listFiles.output.shape.files.element,
    ),
    answered(
      'task',
      'Task',
      'Asynchronous work, as get_task_result answers it.',
      getTaskResult.output.shape.task,
    ),
    {
      name: 'submission',
      title: 'Submission of benchmark results',
      description: 'What submit_benchmark_results takes.',
      schema: jsonSchema(submitBenchmarkResults.input, 'input'),
    },
  ]
}

function answered(name: string, title: string, description: string, shape: z.ZodType): WireDocument {
  return { name, title, description, schema: jsonSchema(shape, 'output') }
}
