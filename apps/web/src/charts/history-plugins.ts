import type uPlot from 'uplot'
import type { AlertMark, LevelLine } from './history-marks.ts'

/** Dashed lines through columns. */
export function markColumns(columns: readonly number[], color: string): uPlot.Plugin {
  return {
    hooks: {
      drawAxes: (chart) => {
        const { ctx, bbox } = chart
        ctx.save()
        ctx.strokeStyle = color
        ctx.setLineDash([4, 4])
        for (const column of columns) {
          const time = chart.data[0]?.[column]
          if (time === undefined) continue
          const x = Math.round(chart.valToPos(time, 'x', true))
          if (x < bbox.left || x > bbox.left + bbox.width) continue
          ctx.beginPath()
          ctx.moveTo(x, bbox.top)
          ctx.lineTo(x, bbox.top + bbox.height)
          ctx.stroke()
        }
        ctx.restore()
      },
    },
  }
}

/** The level between two changes as a broad line behind the values. */
export function drawLevels(levels: readonly LevelLine[], colorOf: (branch: number) => string): uPlot.Plugin {
  return {
    hooks: {
      drawAxes: (chart) => {
        const { ctx, bbox } = chart
        ctx.save()
        clipTo(ctx, bbox)
        ctx.lineWidth = 7 * devicePixelRatio
        ctx.globalAlpha = 0.28
        for (const { branch, fromTime, toTime, value } of levels) {
          const y = chart.valToPos(value, 'y', true)
          ctx.strokeStyle = colorOf(branch)
          ctx.beginPath()
          ctx.moveTo(chart.valToPos(fromTime, 'x', true), y)
          ctx.lineTo(chart.valToPos(toTime, 'x', true), y)
          ctx.stroke()
        }
        ctx.restore()
      },
    },
  }
}

/** A triangle above the point of each alert, filled while it is open; it points to where the value went. */
export function drawAlerts(
  marks: readonly AlertMark[],
  valueAt: (column: number) => number,
  colors: { worse: string; better: string; ground: string },
): uPlot.Plugin {
  return {
    hooks: {
      draw: (chart) => {
        const { ctx, bbox } = chart
        const size = 6 * devicePixelRatio
        ctx.save()
        clipTo(ctx, bbox)
        ctx.lineWidth = 1.5 * devicePixelRatio
        for (const { column, isWorse, isOpen } of marks) {
          const x = chart.valToPos(chart.data[0]?.[column] ?? 0, 'x', true)
          const y = Math.max(bbox.top + 2 * size, chart.valToPos(valueAt(column), 'y', true) - 1.6 * size)
          const color = isWorse ? colors.worse : colors.better
          ctx.strokeStyle = color
          ctx.fillStyle = isOpen ? color : colors.ground
          ctx.beginPath()
          ctx.moveTo(x - size, y - 1.6 * size)
          ctx.lineTo(x + size, y - 1.6 * size)
          ctx.lineTo(x, y)
          ctx.closePath()
          ctx.fill()
          ctx.stroke()
        }
        ctx.restore()
      },
    },
  }
}

function clipTo(ctx: CanvasRenderingContext2D, { left, top, width, height }: uPlot.BBox): void {
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
}
