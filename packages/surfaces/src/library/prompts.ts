import type { CompletedKind } from '../mcp/completions.ts'

/** A way of working that a person can pick in their client, with blanks to fill in. It leads through a guide. */
export interface PromptText {
  name: string
  title: string
  description: string
  /** Name of the guide that says how, call by call. */
  guide: string
  /** What the guide says is given. */
  arguments: readonly PromptArgument[]
  /** What the agent is told; `values` has every required argument. */
  text: (values: Readonly<Record<string, string>>) => string
}

export interface PromptArgument {
  name: string
  description: string
  /** Others the agent finds out by itself, or asks for. */
  required: boolean
  /** What it can be, where that is a short list; for completion. */
  values?: readonly string[]
  /** Or of what kind it is. */
  completedBy?: CompletedKind
}

/** A prompt as it is told here: the goal, and what to report, in the words of the person. */
type Draft = Omit<PromptText, 'text'> & { goal: string; report: string }

const project: PromptArgument = {
  name: 'project_id',
  description: 'The project (prj_…).',
  required: true,
  completedBy: 'project',
}
const repository: PromptArgument = {
  name: 'repository',
  description: 'The repository, as owner/name.',
  required: true,
  completedBy: 'repository',
}
const measure = optional('measure', 'The command that runs the benchmarks.')

function optional(name: string, description: string, values?: readonly string[]): PromptArgument {
  return { name, description, required: false, ...(values === undefined ? {} : { values }) }
}

const drafts: readonly Draft[] = [
  {
    name: 'optimize',
    title: 'Make it faster',
    description: 'Measure, change one thing, measure again, and keep only what is proved to help.',
    guide: 'optimize-loop',
    arguments: [
      repository,
      measure,
      optional('test', 'The command that runs the tests.'),
      optional('setup', 'What prepares a fresh checkout.'),
      optional('profiler', 'How the program is profiled: an option of flamegate profile.', [
        '--node',
        '--python',
        '--pprof',
        '--jfr',
        '--perf',
        '--callgrind',
      ]),
    ],
    goal: 'Make this repository faster. Show me each change before you make it, and never weaken a test or a benchmark.',
    report: 'each change that was kept with its gain and interval, each that was taken back, and the links',
  },
  {
    name: 'investigate-regression',
    title: 'Investigate a regression',
    description:
      'Tell whether the latest run is slower, by how much and how surely, and which function is to blame.',
    guide: 'explain-regression',
    arguments: [repository],
    goal: 'Find out whether the latest run of this repository is slower than its baseline, and why. Change nothing.',
    report:
      'differences of the environment first, then each regression with its size and interval, the function with file and line, the commit that explains it, and the links',
  },
  {
    name: 'find-leak',
    title: 'Find a memory leak',
    description: 'Find what a program never gives back, and who holds it.',
    guide: 'memory-leak-hunt',
    arguments: [
      project,
      optional('capture', 'The name under which a collector may take heap profiles of the program.'),
    ],
    goal: 'Find out whether the program leaks memory, what it keeps, and who holds it.',
    report: 'what grows and how fast, the chain of holders, the file and line that adds to it, and the links',
  },
  {
    name: 'load-test-this',
    title: 'Load-test this',
    description: 'Make a load test of a recording, run it, and tell how much load the system takes.',
    guide: 'load-test',
    arguments: [
      project,
      optional('har_name', 'The recording, in the working directory.'),
      optional('har_bytes', 'Its exact size.'),
      optional('users', 'How many users at most.'),
      optional('ramp_up_ms', 'In how many milliseconds they come.'),
      optional('plateau_ms', 'For how many milliseconds they stay.'),
    ],
    goal: 'Find out how much load the recorded system takes. Ask me before you start any load.',
    report:
      'how many users and requests it takes, where latency knees, what limits it, which errors came when, and the links',
  },
  {
    name: 'profile-mcp-server',
    title: 'Profile an MCP server',
    description: 'Measure an MCP server, diagnose it, look inside, and prove that a change helped.',
    guide: 'profile-an-mcp-server',
    arguments: [project, { name: 'server', description: 'The name of the MCP server.', required: true }],
    goal: 'Find out how fast this MCP server is and what slows it down. Ask me before you make load on it or change it.',
    report:
      'the slow tools with percentiles, why they are slow, what to change, what a change brought, and the links',
  },
  {
    name: 'find-hot-spots',
    title: 'Where is the time?',
    description: 'Find where a program spends its time, down to the line.',
    guide: 'flame-graph-reading',
    arguments: [project],
    goal: 'Find where the program of this project spends its time. Change nothing.',
    report:
      'the hot spots with their share, file and line, who calls them, what could be done, the largest gain first, and the links',
  },
  {
    name: 'triage-live-app',
    title: 'What does it do right now?',
    description: 'Ask a running program what is slow, what is full and what grows.',
    guide: 'live-triage',
    arguments: [
      {
        name: 'live_app_id',
        description: 'The live app (app_…).',
        required: true,
        completedBy: 'live_app',
      },
    ],
    goal: 'Find out what this program does right now, and what is wrong with it. Restart nothing.',
    report: 'what dominates, which queue or lock is behind it, since when, and the links',
  },
  {
    name: 'fix-replay',
    title: 'Make a replay pass',
    description: 'Correlate a recorded virtual user until it validates.',
    guide: 'auto-correlation',
    arguments: [
      {
        name: 'virtual_user_id',
        description: 'The virtual user (vu_…).',
        required: true,
        completedBy: 'virtual_user',
      },
      project,
    ],
    goal: 'Make this virtual user pass its validation, without weakening a check.',
    report: 'which values were correlated, what still fails and why, and the links',
  },
  {
    name: 'set-up-ci',
    title: 'Measure in CI',
    description: 'Measure every push and pull request, and fail the job for a regression.',
    guide: 'ci-setup',
    arguments: [repository, project, measure],
    goal: 'Have CI measure the benchmarks of this repository. Show me each file before you add it.',
    report: 'the files that were added, what I have to set, the first run, and the links',
  },
]

/** The main ways of working, as prompts. */
export const prompts: readonly PromptText[] = drafts.map(({ goal, report, ...prompt }) => ({
  ...prompt,
  text: (values) =>
    [
      goal,
      `Follow the guide ${prompt.guide}, step by step: read_guide with name ${prompt.guide}. It says which tools to call, how to read their answers, and when you are done. Given for it:`,
      prompt.arguments
        .map(
          ({ name, description }) => `- ${name}: ${values[name] || `${description} Find it out, or ask me.`}`,
        )
        .join('\n'),
      `Report ${report}. Call a guess a guess.`,
    ].join('\n\n'),
}))
