import type { Verdict } from './verdict.tsx'

const steps: Partial<Record<Verdict, string>> = {
  noisy:
    'Measure both commits again with more rounds (go test -count, hyperfine --runs, --benchmark-min-rounds of pytest-benchmark) or on a machine with nothing else to do. Every further run of the default branch also teaches how much it varies by itself.',
  new: 'If it was only renamed, merge its former self into it: More actions on the page of its history.',
  missing:
    'See whether it failed, was removed or was renamed. A renamed benchmark keeps its history when it is merged into its new self, on the page of that one’s history.',
  incomparable:
    'Make both runs measure the same: the same metric in the same unit, read from the same harness. Then compare again.',
}

/** What to do about verdicts that tell nothing of the code; undefined for those that do. */
export function nextStep(verdict: Verdict): string | undefined {
  return steps[verdict]
}
