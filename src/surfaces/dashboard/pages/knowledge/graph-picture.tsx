import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { cleanName } from '../../text/hidden-characters.ts'
import { toPath } from '../../widgets/segments.ts'
import { type GraphEdge, layOut, type Point, toFrame } from './layout.ts'
import { useView } from './use-view.ts'

interface PictureNode {
  readonly id: string
  readonly name: string
  readonly mentions: number
}

interface PictureProps {
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly GraphEdge[]
  readonly label: string
  /** The node that the picture is about. */
  readonly selfId?: string
}

const maxLabels = 60
const maxLabelLength = 26
const nowhere: Point = { x: 0, y: 0 }

/** Entities and links; it is zoomed, dragged, and a node leads to its page. */
export function GraphPicture({ nodes, edges, label, selfId }: PictureProps) {
  const [, go] = useLocation()
  const box = useRef<SVGSVGElement>(null)
  const [pointed, setPointed] = useState<string>()
  const points = useMemo(() => layOut(nodes, edges), [nodes, edges])
  const frame = useMemo(() => toFrame(points.values()), [points])
  const view = useView(box, frame)
  const at = (id: string) => points.get(id) ?? nowhere
  const near = new Set(
    edges.flatMap(({ from, to }) => (from === pointed || to === pointed ? [from, to] : [])),
  )
  const toneOf = (id: string) => (pointed === undefined || near.has(id) ? '' : 'dim')
  return (
    <Zoomed view={view}>
      <svg
        ref={box}
        className="graph"
        viewBox={view.viewBox}
        role="img"
        aria-label={label}
        {...view.handlers}
        onPointerUp={view.release}
      >
        {edges.map(({ from, to }, index) => (
          <line
            // Two entities may have several links.
            key={`${from} ${to} ${String(index)}`}
            className={from === pointed || to === pointed ? 'near' : toneOf(from)}
            strokeWidth={1.2 * view.pixel}
            x1={at(from).x}
            y1={at(from).y}
            x2={at(to).x}
            y2={at(to).y}
          />
        ))}
        {nodes.map(({ id, name, mentions }, index) => (
          <g
            key={id}
            className={`node ${id === selfId ? 'self' : ''} ${id === pointed ? '' : toneOf(id)}`}
            onPointerEnter={() => setPointed(id)}
            onPointerLeave={() => setPointed(undefined)}
            onPointerUp={() => !view.release() && go(toPath('knowledge', name))}
          >
            <circle
              cx={at(id).x}
              cy={at(id).y}
              r={(7 + Math.min(8, Math.sqrt(mentions))) * view.pixel}
              strokeWidth={1.6 * view.pixel}
            />
            {(index < maxLabels || near.has(id)) && (
              <text x={at(id).x} y={at(id).y + 26 * view.pixel} fontSize={11.5 * view.pixel}>
                {cleanName(name, maxLabelLength)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </Zoomed>
  )
}

interface ZoomedProps {
  readonly view: ReturnType<typeof useView>
  readonly children: ReactNode
}

function Zoomed({ view, children }: ZoomedProps) {
  const t = useText()
  return (
    <div className="zoomed">
      {children}
      <div className="row wrap" role="toolbar" aria-label={t.knowledge.graphTools}>
        <button
          type="button"
          className="button"
          aria-label={t.map.zoomIn}
          onClick={() => view.zoom(1.5)}
        >
          {'+'}
        </button>
        <button
          type="button"
          className="button"
          aria-label={t.map.zoomOut}
          onClick={() => view.zoom(1 / 1.5)}
        >
          {'−'}
        </button>
        <button type="button" className="button" onClick={view.reset}>
          {t.knowledge.wholeGraph}
        </button>
      </div>
    </div>
  )
}
