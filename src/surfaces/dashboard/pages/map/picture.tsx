import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { drag, type Matrix, type Size, toMatrix, type View, zoomBy } from './camera.ts'
import { createCanvasDrawing } from './canvas-drawing.ts'
import type { Drawing } from './drawing.ts'
import type { Point } from './lasso.ts'
import { createWebglDrawing } from './webgl-drawing.ts'

export type Tool = 'select' | 'move'

interface PictureProps {
  readonly positions: Float32Array<ArrayBuffer>
  readonly groups: Uint8Array
  readonly emphasis: Uint8Array
  readonly view: View
  readonly tool: Tool
  readonly onView: (change: (view: View) => View) => void
  /** Called with the finished line and the places of the points at that moment. */
  readonly onLasso: (lasso: readonly Point[], matrix: Matrix, size: Size) => void
}

const minStep = 3
const wheelFactor = 0.002

/** The points on a canvas: drawn around with the pointer, or moved and turned. */
export function Picture({ onLasso, onView, tool, ...drawn }: PictureProps) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [line, setLine] = useState<readonly Point[]>([])
  useDrawing(canvas, drawn)
  useWheel(canvas, onView)
  const press = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    if (tool === 'select') setLine([toPoint(event)])
  }
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    const { clientWidth, clientHeight } = event.currentTarget
    // React runs updates later, when the event has no target.
    const at = toPoint(event)
    const [right, down] = [event.movementX / clientWidth, event.movementY / clientHeight]
    if (event.buttons === 0) return
    if (tool === 'move') onView((view) => drag(view, right, down))
    else setLine((previous) => extend(previous, at))
  }
  const release = ({ currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    if (line.length === 0) return
    const size = { width: currentTarget.clientWidth, height: currentTarget.clientHeight }
    onLasso(line, toMatrix(drawn.view, size), size)
    setLine([])
  }
  return (
    <div className="map">
      <canvas
        ref={canvas}
        className={tool}
        role="img"
        aria-label={t.map.label(drawn.groups.length)}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => setLine([])}
      />
      {line.length > 1 && (
        <svg aria-hidden="true">
          <polygon points={line.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
      )}
    </div>
  )
}

function extend(line: readonly Point[], at: Point): readonly Point[] {
  const last = line.at(-1)
  const isNear = last && Math.hypot(last.x - at.x, last.y - at.y) < minStep
  return isNear ? line : [...line, at]
}

function toPoint({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>): Point {
  const { left, top } = currentTarget.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

type Drawn = Pick<PictureProps, 'positions' | 'groups' | 'emphasis' | 'view'>
type CanvasRef = Readonly<React.RefObject<HTMLCanvasElement | null>>

/** Draws again after each change, also of the theme and of the size. */
function useDrawing(canvas: CanvasRef, { positions, groups, emphasis, view }: Drawn): void {
  const [drawing, setDrawing] = useState<Drawing>()
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const created =
      createWebglDrawing(element, positions) ?? createCanvasDrawing(element, positions)
    setDrawing(created)
    return () => created?.dispose()
  }, [canvas, positions])
  const redraw = useMemo(
    () => () => {
      const element = canvas.current
      if (!element) return
      const size = resize(element)
      const matrix = toMatrix(view, size)
      const palette = readPalette(element)
      const hasDepth = view.dimensions === 3
      drawing?.draw({ matrix, hasDepth, groups, emphasis, palette, size })
    },
    [canvas, drawing, groups, emphasis, view],
  )
  useEffect(() => {
    const frame = requestAnimationFrame(redraw)
    return () => cancelAnimationFrame(frame)
  }, [redraw])
  useEffect(() => {
    const sizes = new ResizeObserver(redraw)
    if (canvas.current) sizes.observe(canvas.current)
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      sizes.disconnect()
      themes.disconnect()
      scheme.removeEventListener('change', redraw)
    }
  }, [canvas, redraw])
}

/** The canvas gets the pixels of the screen. */
function resize(canvas: HTMLCanvasElement): Size {
  const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio))
  const height = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio))
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  return { width, height }
}

/** A pinch, or the wheel with Ctrl, so that the page still scrolls. React cannot stop the wheel. */
function useWheel(canvas: CanvasRef, onView: PictureProps['onView']): void {
  useEffect(() => {
    const element = canvas.current
    const zoom = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      onView((view) => zoomBy(view, Math.exp(-event.deltaY * wheelFactor)))
    }
    element?.addEventListener('wheel', zoom, { passive: false })
    return () => element?.removeEventListener('wheel', zoom)
  }, [canvas, onView])
}

const tokens = ['--act', '--lamp', '--good', '--bad', '--warn', '--soft']

/** The colours of the groups in the theme of the page, as `#rrggbb`. */
function readPalette(canvas: HTMLCanvasElement): readonly string[] {
  const styles = getComputedStyle(canvas)
  return tokens.map((token) => resolveColour(styles, token))
}

/** A token has a colour for each theme; a canvas needs the one in use. */
function resolveColour(styles: CSSStyleDeclaration, name: string): string {
  const pair = /light-dark\((?<light>[^,]+),\s*(?<dark>[^)]+)\)/.exec(styles.getPropertyValue(name))
  const isDark =
    styles.colorScheme === 'dark' ||
    (styles.colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return (isDark ? pair?.groups?.['dark'] : pair?.groups?.['light']) ?? '#888888'
}
