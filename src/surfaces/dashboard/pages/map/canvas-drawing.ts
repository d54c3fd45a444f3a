import { toScreen } from './camera.ts'
import { type Drawing, emphases, type Picture, pointSize } from './drawing.ts'

const faintOpacity = 0.25
const clearOpacity = 0.92

/** Draws points where the browser has no WebGL 2, as squares that are drawn fast. */
export function createCanvasDrawing(
  canvas: HTMLCanvasElement,
  positions: Float32Array,
): Drawing | undefined {
  const context = canvas.getContext('2d')
  if (!context) return undefined
  const side = pointSize(positions.length / 3) * devicePixelRatio
  const draw = ({ matrix, groups, emphasis, palette, size }: Picture) => {
    context.clearRect(0, 0, size.width, size.height)
    for (const [index, group] of groups.entries()) {
      const at = toScreen(matrix, positions, index, size)
      if (!at || emphasis[index] === emphases.hidden) continue
      context.globalAlpha = emphasis[index] === emphases.faint ? faintOpacity : clearOpacity
      context.fillStyle = palette[group] ?? '#888888'
      context.fillRect(at.x - side / 2, at.y - side / 2, side, side)
    }
  }
  return { draw, dispose: () => undefined }
}
