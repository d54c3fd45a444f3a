import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { MapPoint, Projection } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { isChosen, type Point } from './lasso.ts'

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

/** The points, and a list of those inside the line that the reader draws around them. */
function Points({ nodes }: { readonly nodes: readonly MapPoint[] }) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [lasso, setLasso] = useState<readonly Point[]>([])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context) draw(context, nodes, lasso)
  }, [nodes, lasso])
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    const at = toPoint(event)
    if (event.type === 'pointerdown') setLasso([at])
    else if (event.buttons > 0) setLasso((previous) => [...previous, at])
  }
  const chosen = lasso.length > 0 ? nodes.filter((node) => isChosen(node, lasso)) : nodes
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

const colours = ['--act', '--lamp', '--good', '--warn', '--bad', '--soft']

/** Above this number the points are small squares, which are drawn faster. */
const maxDots = 5000

function draw(
  context: CanvasRenderingContext2D,
  nodes: readonly MapPoint[],
  lasso: readonly Point[],
): void {
  const styles = getComputedStyle(context.canvas)
  context.clearRect(0, 0, width, height)
  const groups = [...Map.groupBy(nodes, ({ type }) => type).values()]
  for (const [index, group] of groups.entries()) {
    context.fillStyle = resolveColour(styles, colours[index % colours.length] ?? '--act')
    for (const { x, y } of group) {
      if (nodes.length > maxDots) context.fillRect(x - 1, y - 1, 2, 2)
      else {
        context.beginPath()
        context.arc(x, y, 5, 0, Math.PI * 2)
        context.fill()
      }
    }
  }
  context.strokeStyle = resolveColour(styles, '--act')
  context.beginPath()
  for (const { x, y } of lasso) context.lineTo(x, y)
  context.closePath()
  context.stroke()
}

/** A token has a colour for each theme; the canvas needs the one in use. */
function resolveColour(styles: CSSStyleDeclaration, name: string): string {
  const pair = /light-dark\((?<light>[^,]+),\s*(?<dark>[^)]+)\)/.exec(styles.getPropertyValue(name))
  const isDark =
    styles.colorScheme === 'dark' ||
    (styles.colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return (isDark ? pair?.groups?.['dark'] : pair?.groups?.['light']) ?? styles.color
}
