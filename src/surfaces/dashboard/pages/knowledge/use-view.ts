import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Frame } from './layout.ts'

/** The distance from the middle of the frame, and the factor. */
interface View {
  readonly x: number
  readonly y: number
  readonly scale: number
}

const whole: View = { x: 0, y: 0, scale: 1 }
const maxScale = 8
const defaultPx = 1000
/** A shorter movement of the pointer is a click. */
const dragPx = 4

/** Which part of the picture is visible, and how large a pixel of the screen is in it. */
export function useView(box: RefObject<SVGSVGElement | null>, frame: Frame) {
  const { width, height } = frame
  const [view, setView] = useState(whole)
  const [shownPx, setShownPx] = useState(defaultPx)
  const drag = useRef<{ x: number; y: number; hasMoved: boolean }>(undefined)
  useEffect(() => {
    if (!box.current) return undefined
    const observer = new ResizeObserver(([entry]) =>
      setShownPx(entry?.contentRect.width || defaultPx),
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  const pixel = width / view.scale / shownPx
  const zoom = (factor: number) =>
    setView((from) => ({ ...from, scale: Math.min(maxScale, Math.max(1, from.scale * factor)) }))
  const onPointerDown = ({ clientX: x, clientY: y }: PointerEvent) => {
    drag.current = { x, y, hasMoved: false }
  }
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const from = drag.current
    if (!from) return
    const [byX, byY] = [clientX - from.x, clientY - from.y]
    if (!from.hasMoved && Math.hypot(byX, byY) < dragPx) return
    drag.current = { x: clientX, y: clientY, hasMoved: true }
    setView(({ x, y, scale }) => ({ x: x - byX * pixel, y: y - byY * pixel, scale }))
  }
  const onPointerLeave = () => {
    drag.current = undefined
  }
  /** Whether the pointer that was released had moved the picture. */
  const release = () => {
    const hasMoved = drag.current?.hasMoved ?? false
    drag.current = undefined
    return hasMoved
  }
  const [seenX, seenY] = [width / view.scale, height / view.scale]
  const left = frame.x + view.x - seenX / 2
  const top = frame.y + view.y - seenY / 2
  return {
    pixel,
    viewBox: [left, top, seenX, seenY].join(' '),
    zoom,
    reset: () => setView(whole),
    release,
    handlers: { onPointerDown, onPointerMove, onPointerLeave, onPointerCancel: onPointerLeave },
  }
}
