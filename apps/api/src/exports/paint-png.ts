import { createRequire } from 'node:module'
import type * as Canvas from '@napi-rs/canvas'
import type { Picture } from '@flamegate/profiles'

const require = createRequire(import.meta.url)
const family = 'Roboto Mono'
const fontFiles = [
  require.resolve('@expo-google-fonts/roboto-mono/RobotoMono_400Regular.ttf'),
  require.resolve('@expo-google-fonts/roboto-mono/RobotoMono_700Bold.ttf'),
]

/** The library is large: only a thread that paints loads it. */
let library: typeof Canvas | undefined

/**
 * A picture as a PNG file, the same wherever it is painted: its font comes with us, and no other is looked for.
 * It takes four bytes per pixel outside of the JavaScript heap.
 */
export function paintPng(picture: Picture): Uint8Array {
  library ??= loadLibrary()
  const canvas = library.createCanvas(picture.widthPx, picture.heightPx)
  const context = canvas.getContext('2d')
  context.fillStyle = picture.background
  context.fillRect(0, 0, picture.widthPx, picture.heightPx)
  for (const { x, y, width, height, color } of picture.boxes) {
    context.fillStyle = color
    context.fillRect(x, y, width, height)
  }
  for (const { x, y, text, sizePx, isBold, color } of picture.texts) {
    context.fillStyle = color
    context.font = `${isBold ? 'bold ' : ''}${sizePx}px '${family}'`
    context.fillText(text, x, y)
  }
  return canvas.toBuffer('image/png')
}

function loadLibrary(): typeof Canvas {
  // It reads this while it is loaded.
  process.env['DISABLE_SYSTEM_FONTS_LOAD'] = '1'
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked for by name
  const canvas = require('@napi-rs/canvas') as typeof Canvas
  for (const file of fontFiles) takeFont(canvas.GlobalFonts, file)
  return canvas
}

/**
 * Without its font a picture would have no text, and nobody would be told.
 * @throws Error when the file is no font, or cannot be read
 */
export function takeFont(fonts: Pick<typeof Canvas.GlobalFonts, 'registerFromPath'>, file: string): void {
  if (fonts.registerFromPath(file, family) === null) throw new Error(`${file} was not taken as a font`)
}
