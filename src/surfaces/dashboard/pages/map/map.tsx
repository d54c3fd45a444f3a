import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { MapPoint, Projection } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'

const width = 1000
const height = 620
const maxListed = 100

export function Page() {
  const t = useText()
  const read = useRead<Projection>(
    'GET /api/embeddings/projection',
    { query: { dimensions: 2 } },
    { everyMs: 10_000 },
  )
  return (
    <Screen name={t.screens.map} lede={t.running.mapLede}>
      <Loaded read={read}>
        {({ nodes = [], status }) =>
          nodes.length === 0 ? (
            <section className="sheet">
              <Empty
                title={t.running.noPoints}
                text={status === 'computing' ? t.common.loading : t.running.noPointsText}
              />
            </section>
          ) : (
            <Points nodes={place(nodes)} />
          )
        }
      </Loaded>
    </Screen>
  )
}

/** Scales the projection to the size of the picture. */
function place(nodes: readonly MapPoint[]): MapPoint[] {
  const range = (pick: (point: MapPoint) => number) => {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (const node of nodes) {
      min = Math.min(min, pick(node))
      max = Math.max(max, pick(node))
    }
    return { min, size: Math.max(1e-9, max - min) }
  }
  const x = range((point) => point.x)
  const y = range((point) => point.y)
  return nodes.map((node) => ({
    ...node,
    x: 30 + ((node.x - x.min) / x.size) * (width - 60),
    y: 30 + ((node.y - y.min) / y.size) * (height - 60),
  }))
}

interface Box {
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** The points, and a list of those inside the frame that the reader draws. */
function Points({ nodes }: { readonly nodes: readonly MapPoint[] }) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [box, setBox] = useState<Box>()
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context) draw(context, nodes, box)
  }, [nodes, box])
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    const at = toPoint(event)
    if (event.type === 'pointerdown') setBox({ from: at, to: at })
    else if (event.buttons > 0) setBox((previous) => previous && { ...previous, to: at })
  }
  const chosen = box ? nodes.filter((node) => isInside(node, box)) : nodes
  return (
    <div className="stack">
      <section className="sheet pad" aria-label={t.screens.map}>
        <canvas
          ref={canvas}
          className="map"
          width={width}
          height={height}
          role="img"
          aria-label={t.running.mapLabel(nodes.length)}
          onPointerDown={move}
          onPointerMove={move}
        />
      </section>
      <Sheet title={t.running.selected} aside={chosen.length} isFlush>
        <ul className="lines">
          {chosen.slice(0, maxListed).map(({ id, content }) => (
            <li key={id}>
              <i className="dot act" aria-hidden="true" />
              <Link className="read" href={toPath('memories', id)}>
                <PlainText text={content.slice(0, 200)} />
              </Link>
            </li>
          ))}
        </ul>
      </Sheet>
    </div>
  )
}

function toPoint({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>) {
  const rect = currentTarget.getBoundingClientRect()
  return {
    x: ((clientX - rect.left) / rect.width) * width,
    y: ((clientY - rect.top) / rect.height) * height,
  }
}

function isInside({ x, y }: MapPoint, { from, to }: Box): boolean {
  const isBetween = (value: number, a: number, b: number) =>
    value >= Math.min(a, b) - 6 && value <= Math.max(a, b) + 6
  return isBetween(x, from.x, to.x) && isBetween(y, from.y, to.y)
}

const colours = ['--act', '--lamp', '--good', '--warn', '--bad', '--soft']

function draw(context: CanvasRenderingContext2D, nodes: readonly MapPoint[], box?: Box): void {
  const styles = getComputedStyle(context.canvas)
  const types = [...new Set(nodes.map(({ type }) => type))]
  context.clearRect(0, 0, width, height)
  for (const { x, y, type } of nodes) {
    const name = colours[types.indexOf(type) % colours.length] ?? '--act'
    context.fillStyle = resolveColour(styles, name)
    context.beginPath()
    context.arc(x, y, 5, 0, Math.PI * 2)
    context.fill()
  }
  if (!box) return
  context.strokeStyle = resolveColour(styles, '--act')
  context.strokeRect(box.from.x, box.from.y, box.to.x - box.from.x, box.to.y - box.from.y)
}

/** A token has a colour for each theme; the canvas needs the one in use. */
function resolveColour(styles: CSSStyleDeclaration, name: string): string {
  const pair = /light-dark\((?<light>[^,]+),\s*(?<dark>[^)]+)\)/.exec(styles.getPropertyValue(name))
  const isDark =
    styles.colorScheme === 'dark' ||
    (styles.colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return (isDark ? pair?.groups?.['dark'] : pair?.groups?.['light']) ?? styles.color
}
