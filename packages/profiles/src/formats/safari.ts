import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { ScriptFunctions, type ScriptFrame } from '../symbols/script-functions.ts'
import { isObject, JsonReader, plainNumber, type JsonObject } from './json.ts'

/**
 * A timeline recording of Safari's Web Inspector ("Export", `…-recording.json`, version 1), of which the samples of the
 * JavaScript timeline are the profile: `recording.sampleStackTraces`, innermost frame first, and `recording.sampleDurations`,
 * in seconds. What else was recorded (layout, network, CPU usage …) has no stacks and is counted in a warning.
 * https://github.com/WebKit/WebKit/blob/main/Source/WebInspectorUI/UserInterface/Models/TimelineRecording.js
 *
 * Sample types: `samples` (count) and, by default, `wall` (nanoseconds); the time between samples is nobody's. A frame's
 * function starts at `line`, and is at `expressionLocation.line`. `(program)` is the top level of its script.
 */
export const safari: Importer = {
  format: 'safari',
  recognizes: ({ jsonObject }) =>
    isObject(jsonObject?.recording) && 'sampleStackTraces' in jsonObject.recording,
  read: (file, options) => readSafari(file.needJsonObject('safari'), options),
}

function readSafari(document: JsonObject, { maxNodes, sourceMaps }: ImportOptions): ImportedProfile {
  const json = new JsonReader('safari')
  const recording = json.object(document.recording, '$.recording')
  const traces = json.array(recording.sampleStackTraces, '$.recording.sampleStackTraces')
  const durations = json.numbers(recording.sampleDurations, '$.recording.sampleDurations')
  if (durations.length !== traces.length)
    json.fail(`${durations.length} durations for ${traces.length} samples`, '$.recording.sampleDurations')
  const start = json.number(recording.startTime, '$.recording.startTime')
  const end = json.number(recording.endTime, '$.recording.endTime')
  const builder = new ProfileBuilder({
    format: 'safari',
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'wall', unit: 'nanoseconds' },
    ],
    defaultSampleTypeIndex: 1,
    maxNodes,
  })
  const scripts = new ScriptFunctions(builder.functions, sourceMaps)
  for (const [index, value] of traces.entries()) {
    const path = `$.recording.sampleStackTraces[${index}]`
    const trace = json.object(value, path)
    const frames = json.array(trace.stackFrames, `${path}.stackFrames`)
    const functionIndexes: number[] = []
    const lines: number[] = []
    for (let frame = frames.length - 1; frame >= 0; frame--) {
      const { name, url, line, column, expressionLocation } = json.object(
        frames[frame],
        `${path}.stackFrames[${frame}]`,
      )
      const script: ScriptFrame = {
        name: typeof name === 'string' && name !== '' ? name : '(anonymous)',
        file: typeof url === 'string' ? url : '',
        line: plainNumber(line ?? 0),
        column: plainNumber(column ?? 0),
      }
      functionIndexes.push(scripts.intern(script))
      const at = isObject(expressionLocation) ? expressionLocation : {}
      lines.push(scripts.lineIn(script, plainNumber(at.line), plainNumber(at.column)))
    }
    const timeMs = (json.number(trace.timestamp, `${path}.timestamp`) - start) * 1000
    const values = [1, Math.round(durations[index]! * 1e9)]
    builder.addStack({ functionIndexes, lines, depth: functionIndexes.length }, values, { timeMs })
  }
  const recordCount = Array.isArray(recording.records) ? recording.records.length : 0
  return builder.finish({
    durationMs: Math.max(0, end - start) * 1000,
    warnings:
      recordCount > 0 ? [`${recordCount} records of the timeline were left out: they have no stacks.`] : [],
  })
}
