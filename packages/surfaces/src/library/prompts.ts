/** A question that a person can pick in their client, with blanks to fill in. */
export interface PromptText {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** What the agent is told; `values` has every required argument. */
  text: (values: Readonly<Record<string, string>>) => string
}

export interface PromptArgument {
  name: string
  description: string
  required: boolean
  /** What it can be, where that is a short list; for completion. */
  values?: readonly string[]
}

/** What a person would type, and how that tool's output is made and submitted. */
const harnesses: Readonly<Record<string, string>> = {
  google_benchmark: 'run the binary with --benchmark_format=json --benchmark_repetitions=6',
  go_bench: 'run go test -bench . -count 6 ./...',
  hyperfine: 'run hyperfine with --export-json results.json',
  vitest_bench: 'run vitest bench with --outputJson results.json',
}

/** The main ways of working, as prompts. Each leads through real tool calls. */
export const prompts: readonly PromptText[] = [
  {
    name: 'explain_regression',
    title: 'Explain a regression',
    description: 'Compare two runs and find the functions to blame.',
    arguments: [
      { name: 'base', description: 'Run to judge against (run_…), or baseline.', required: true },
      { name: 'head', description: 'Run to judge (run_…), or latest.', required: true },
    ],
    text: ({ base, head }) =>
      [
        `Explain what changed between the runs ${base} (base) and ${head} (head).`,
        `Read the guide first: read_guide with name compare-runs.`,
        `1. Call compare_runs with base_run_id ${base} and head_run_id ${head}. Say the environment differences first.`,
        '2. For each regressed benchmark that has profiles on both sides, call query_flamegraph for both runs, and compare the hot spots.',
        '3. Read the code of the suspects and the commits between the two runs.',
        'Report each regression with its size and interval, the function with file and line, what explains it, and the link. Call a guess a guess.',
      ].join('\n'),
  },
  {
    name: 'where_is_the_time',
    title: 'Where is the time?',
    description: 'Find where the benchmarks of a run spend their time.',
    arguments: [{ name: 'run', description: 'The run (run_…), or latest.', required: true }],
    text: ({ run }) =>
      [
        `Find where the run ${run} spends its time.`,
        'Read the guide first: read_guide with name flame-graph-reading.',
        `1. Call get_run with run_id ${run}, and choose the slowest benchmarks that have a profile.`,
        '2. Call query_flamegraph for each; go below a function with root_function_name where its total is large and its self time small.',
        'Report the hot spots with their share, file and line, who calls them, and what could be done, the largest gain first. Link the flame graphs.',
      ].join('\n'),
  },
  {
    name: 'prepare_upload',
    title: 'Prepare an upload',
    description: 'Set up a repository so that its benchmark results are recorded.',
    arguments: [
      {
        name: 'harness',
        description: 'The benchmark tool.',
        required: true,
        values: Object.keys(harnesses),
      },
    ],
    text: ({ harness = '' }) =>
      [
        `Set up this repository to record its benchmarks, measured with ${harness}, in Flamegate.`,
        'Read the guide first: read_guide with name upload-results.',
        `1. Measure: ${harnesses[harness] ?? 'run each benchmark at least six times, and keep the output as one of the formats in the guide'}.`,
        '2. Call list_repositories. If this repository has no project, ask me whether to make one with create_project.',
        '3. Submit a first run with submit_benchmark_results, or create_run_upload above 100 kB, with the CPU and the runtime as environment.',
        '4. Propose the CI job that does the same on every push, and show it to me before you add it.',
      ].join('\n'),
  },
]
