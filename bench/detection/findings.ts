import { ours, peers, singleRun } from './detectors.ts'
import type { Detector } from './detectors.ts'
import { calibrated, goal, sizes, youth } from './experiment.ts'
import type { Cell, Experiment } from './experiment.ts'
import { noiseKinds, noisePercents } from './make-series.ts'
import { delay, falseAlarms, parameterFor, recall } from './measure.ts'

/** One comparison with a goal, as every benchmark here prints it. */
export interface Row {
  bench: 'detection'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  goal: number | null
  met: boolean | null
  /** Both saw the same series. */
  equal: true
}

export interface Table {
  title: string
  columns: string[]
  rows: (string | number)[][]
}

const ALLOWED = 1
const curve = [0.5, 1, 2, 5, 10, 20]

export function findingsOf(experiment: Experiment): { tables: Table[]; rows: Row[] } {
  return {
    tables: [
      falseAlarmTable(experiment.cells),
      recallTable('Recall of ours within 5 / 10 runs, calm, by noise', experiment.cells, ours, [5, 10]),
      kindTable(experiment.cells),
      delayTable(experiment.cells),
      equalTable(experiment.cells),
      curveTable(experiment.cells),
      historyTable(experiment),
      youthTable(experiment),
      recallTable('Single-run gate: recall at its default, calm, by noise', experiment.cells, singleRun, [1]),
      gateTable(experiment.cells),
      gateCurveTable(experiment.cells),
      offlineTable(experiment),
    ],
    rows: [...goalRows(experiment), ...equalRows(experiment.cells), ...gateRows(experiment.cells)],
  }
}

function usual(detector: Detector): number {
  return detector.parameters[0]?.value ?? NaN
}

function changed(cell: Cell, detector: Detector, size: number): number[][] {
  return cell.changed.get(detector)?.get(size) ?? []
}

function ofKind(cells: readonly Cell[], kind: string): Cell[] {
  return cells.filter((cell) => cell.kind === kind)
}

/** All noises of a kind together. */
function alarmsOf(cells: readonly Cell[], detector: Detector, parameter: number): number {
  return falseAlarms(
    cells.flatMap((cell) => cell.quiet.get(detector) ?? []),
    parameter,
  )
}

/** Mean over sizes and cells, with the parameter that each cell is given. */
function meanRecall(
  cells: readonly Cell[],
  detector: Detector,
  runs: number,
  parameterOf: (cell: Cell) => number,
): number {
  return meanOf(
    cells.flatMap((cell) =>
      sizes.map((size) => recall(changed(cell, detector, size), parameterOf(cell), runs)),
    ),
  )
}

function falseAlarmTable(cells: readonly Cell[]): Table {
  const used = [ours, ...peers].flatMap((detector) =>
    detector.parameters.map((parameter) => ({ detector, ...parameter })),
  )
  return {
    title:
      'False alarms per 1,000 runs, and precision where one run in 200 brings a change of one of the sizes (all noises together)',
    columns: ['noise', ...used.map(({ detector, label }) => `${detector.name}, ${label}`), 'ours in use'],
    rows: noiseKinds.map((kind) => {
      const own = ofKind(cells, kind)
      const figures = used.map(({ detector, value }) => {
        const alarms = alarmsOf(own, detector, value)
        const found = meanRecall(own, detector, 10, () => value)
        return `${fixed(alarms, 2)}, ${percent(found / (found + 0.2 * alarms))}`
      })
      return [kind, ...figures, fixed(meanOf(own.map(({ inUsePerThousand }) => inUsePerThousand)), 2)]
    }),
  }
}

function recallTable(title: string, cells: readonly Cell[], detector: Detector, within: number[]): Table {
  return {
    title,
    columns: ['size', ...noisePercents.map((noise) => `${noise} %`)],
    rows: sizes.map((size) => [
      `${size} %`,
      ...ofKind(cells, 'calm').map((cell) =>
        within
          .map((runs) => percent(recall(changed(cell, detector, size), usual(detector), runs)))
          .join(' / '),
      ),
    ]),
  }
}

function kindTable(cells: readonly Cell[]): Table {
  return {
    title: `Recall of ours within 5 / 10 runs at ${goal.noisePercent} % noise, by kind`,
    columns: ['size', ...noiseKinds],
    rows: sizes.map((size) => [
      `${size} %`,
      ...cellsAtGoal(cells).map((cell) =>
        [5, 10].map((runs) => percent(recall(changed(cell, ours, size), usual(ours), runs))).join(' / '),
      ),
    ]),
  }
}

function delayTable(cells: readonly Cell[]): Table {
  return {
    title: 'Median number of runs until ours finds a change, of those found within 10; calm, by noise',
    columns: ['size', ...noisePercents.map((noise) => `${noise} %`)],
    rows: sizes.map((size) => [
      `${size} %`,
      ...ofKind(cells, 'calm').map((cell) => {
        const runs = delay(changed(cell, ours, size), usual(ours))
        return Number.isNaN(runs) ? '–' : runs
      }),
    ]),
  }
}

function cellsAtGoal(cells: readonly Cell[]): Cell[] {
  return cells.filter(({ noisePercent }) => noisePercent === goal.noisePercent)
}

function equalTable(cells: readonly Cell[]): Table {
  const all = [ours, ...peers]
  return {
    title: `Recall within 5 runs at ${ALLOWED} false alarm per 1,000 runs, mean of all sizes and noises: one parameter per kind / tuned to each kind and noise`,
    columns: ['noise', ...all.map(({ name }) => name)],
    rows: noiseKinds.map((kind) => {
      const own = ofKind(cells, kind)
      return [
        kind,
        ...all.map(
          (detector) =>
            `${percent(equalRecall(own, detector, 5))} / ${percent(tunedRecall(own, detector, 5))}`,
        ),
      ]
    }),
  }
}

/** One parameter for all cells, as in use: a project has one threshold for benchmarks of any noise. */
function equalRecall(cells: readonly Cell[], detector: Detector, runs: number): number {
  const scores = cells.flatMap((cell) => cell.quiet.get(detector) ?? [])
  const parameter = parameterFor(scores, ALLOWED)
  return meanRecall(cells, detector, runs, () => parameter)
}

/** Every cell with a parameter of its own, as if somebody had tried out every benchmark for months. */
function tunedRecall(cells: readonly Cell[], detector: Detector, runs: number): number {
  return meanRecall(cells, detector, runs, (cell) => calibrated(cell, detector, ALLOWED))
}

function curveTable(cells: readonly Cell[]): Table {
  return {
    title:
      'Trade-off: recall within 5 runs (all kinds, noises and sizes) at so many false alarms per 1,000 runs in every kind and noise',
    columns: ['false alarms', ...[ours, ...peers].map(({ name }) => name)],
    rows: curve.map((perThousand) => [
      perThousand,
      ...[ours, ...peers].map((detector) =>
        percent(meanRecall(cells, detector, 5, (cell) => calibrated(cell, detector, perThousand))),
      ),
    ]),
  }
}

function historyTable({ byHistory, cusum }: Experiment): Table {
  const limit = parameterFor(cusum.quiet, ALLOWED)
  return {
    title: `Recall within 5 runs of ${goal.sizePercent} % at ${goal.noisePercent} % calm noise, by runs before the change`,
    columns: ['runs before', 'recall'],
    rows: [
      ...byHistory.map(({ runs, scores }) => [runs, percent(recall(scores, usual(ours), 5))]),
      ['told everything (CUSUM, 1 per 1,000)', percent(recall(cusum.changed, limit, 5))],
    ],
  }
}

function youthTable({ young }: Experiment): Table {
  return {
    title: `False alarms of ours per 1,000 runs at ${goal.noisePercent} % noise while the history is young, by its runs`,
    columns: ['runs', ...noiseKinds],
    rows: youth
      .slice(0, -1)
      .map((start, at) => [
        `${start + 1}–${youth[at + 1] ?? ''}`,
        ...young.filter(({ from }) => from === start).map(({ perThousand }) => fixed(perThousand, 1)),
      ]),
  }
}

function gateTable(cells: readonly Cell[]): Table {
  const all = [singleRun, ...peers]
  return {
    title:
      'Single-run gate: false alarms per 1,000 runs at its default, and recall in the first run after a change at 1 per 1,000 (mean of all sizes and noises)',
    columns: ['noise', 'false alarms', ...all.map(({ name }) => name)],
    rows: noiseKinds.map((kind) => {
      const own = ofKind(cells, kind)
      return [
        kind,
        fixed(alarmsOf(own, singleRun, usual(singleRun)), 2),
        ...all.map((detector) => percent(equalRecall(own, detector, 1))),
      ]
    }),
  }
}

function gateCurveTable(cells: readonly Cell[]): Table {
  const atGoal = cellsAtGoal(cells).filter(({ kind }) => kind === 'calm')
  return {
    title: `Single-run gate: recall at ${goal.noisePercent} % calm noise by size, at so many false alarms per 1,000 runs`,
    columns: ['false alarms', ...sizes.map((size) => `${size} %`)],
    rows: curve.map((perThousand) => [
      perThousand,
      ...sizes.map((size) =>
        percent(
          meanOf(
            atGoal.map((cell) =>
              recall(changed(cell, singleRun, size), calibrated(cell, singleRun, perThousand), 1),
            ),
          ),
        ),
      ),
    ]),
  }
}

function offlineTable({ offline }: Experiment): Table {
  return {
    title: `findChangePoints() over 200 runs at ${goal.noisePercent} % noise: found within ±5 runs; wrong ones per 100 series`,
    columns: ['size', ...noiseKinds],
    rows: [0, ...sizes].map((size) => [
      size === 0 ? 'no change' : `${size} %`,
      ...offline
        .filter(({ sizePercent }) => sizePercent === size)
        .map(({ found, wrong }) => `${size === 0 ? '–' : percent(found)}; ${fixed(100 * wrong, 1)}`),
    ]),
  }
}

function goalRows({ cells, cusum }: Experiment): Row[] {
  const calm = cellsAtGoal(cells).filter(({ kind }) => kind === 'calm')
  const found = meanOf(calm.map((cell) => recall(changed(cell, ours, goal.sizePercent), usual(ours), 5)))
  const bound = recall(cusum.changed, parameterFor(cusum.quiet, ALLOWED), 5)
  return [
    {
      ...row(
        `recall within 5 runs, ${goal.sizePercent} % at ${goal.noisePercent} % calm noise`,
        found,
        bound,
      ),
      peer: 'CUSUM that knows level, noise and size',
      goal: 0.95,
      met: found >= 0.95,
    },
    ...noiseKinds.map((kind) => {
      const alarms = alarmsOf(ofKind(cells, kind), ours, usual(ours))
      return {
        ...row(`false alarms per 1,000 runs, ${kind}, all noises`, alarms, null),
        goal: ALLOWED,
        met: alarms <= ALLOWED,
      }
    }),
  ]
}

function equalRows(cells: readonly Cell[]): Row[] {
  return peers.flatMap((peer) =>
    noiseKinds.flatMap((kind) => {
      const own = ofKind(cells, kind)
      const metric = `recall within 5 runs at ${ALLOWED} false alarm per 1,000, ${kind}`
      return [
        notWorse(`${metric}, one parameter`, peer, equalRecall(own, ours, 5), equalRecall(own, peer, 5)),
        notWorse(
          `${metric}, tuned to each noise`,
          peer,
          tunedRecall(own, ours, 5),
          tunedRecall(own, peer, 5),
        ),
      ]
    }),
  )
}

function gateRows(cells: readonly Cell[]): Row[] {
  return peers.map((peer) =>
    notWorse(
      `single run: recall at ${ALLOWED} false alarm per 1,000, all kinds, sizes and noises`,
      peer,
      equalRecall(cells, singleRun, 1),
      equalRecall(cells, peer, 1),
    ),
  )
}

function notWorse(metric: string, peer: Detector, own: number, theirs: number): Row {
  return { ...row(metric, own, theirs), peer: peer.name, goal: 1, met: own >= theirs }
}

function row(metric: string, own: number, theirs: number | null): Row {
  return {
    bench: 'detection',
    metric,
    peer: 'none',
    ours: own,
    theirs,
    ratio: theirs === null ? null : own / theirs,
    goal: null,
    met: null,
    equal: true,
  }
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function percent(share: number): string {
  return `${fixed(100 * share, 1)} %`
}

function fixed(number: number, digits: number): string {
  return number.toFixed(digits)
}
