import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { host } from '../../host.ts'
import { useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { MapPoint, Projection } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { firstView, type Matrix, type Size, toScreen, type View } from './camera.ts'
import { type Colouring, groupPoints, toPositions } from './cloud.ts'
import { emphases } from './drawing.ts'
import { isChosen, type Point } from './lasso.ts'
import { Legend } from './legend.tsx'
import { Picture, type Tool } from './picture.tsx'
import { Toolbar } from './toolbar.tsx'

const maxListed = 100
const computingMs = 3000

export function Page() {
  const t = useText()
  const [dimensions, setDimensions] = useState<View['dimensions']>(2)
  const read = useRead<Projection>(
    'GET /api/embeddings/projection',
    { query: { dimensions } },
    {
      everyMs: computingMs,
      isPending: ({ status }) => status === 'computing',
      keepsPrevious: true,
    },
  )
  return (
    <Screen name={t.screens.map} lede={t.map.lede}>
      <Loaded read={read}>
        {({ nodes = [], status }) =>
          nodes.length === 0 ? (
            <section className="sheet">
              <Empty
                title={status === 'computing' ? t.map.computing : t.map.none}
                text={status === 'computing' ? t.map.computingText : t.map.noneText}
              />
            </section>
          ) : (
            <Points nodes={nodes} dimensions={dimensions} onDimensions={setDimensions} />
          )
        }
      </Loaded>
    </Screen>
  )
}

interface PointsProps {
  readonly nodes: readonly MapPoint[]
  readonly dimensions: View['dimensions']
  readonly onDimensions: (dimensions: View['dimensions']) => void
}

/** The points, and a list of those that the filter and the line of the reader leave. */
function Points({ nodes, dimensions, onDimensions }: PointsProps) {
  const t = useText()
  const [view, setView] = useState(firstView)
  const [tool, setTool] = useState<Tool>('select')
  const [colouring, setColouring] = useState<Colouring>('type')
  const [filter, setFilter] = useState('')
  const [lassoed, setLassoed] = useState<ReadonlySet<string>>()
  const positions = useMemo(() => toPositions(nodes), [nodes])
  const { names, groups } = useMemo(
    () => groupPoints(nodes, colouring, host.now()),
    [nodes, colouring],
  )
  const emphasis = useMemo(
    () => Uint8Array.from(nodes, (node) => toEmphasis(node, filter, lassoed)),
    [nodes, filter, lassoed],
  )
  const chosen = nodes.filter((_, index) => emphasis[index] === emphases.clear)
  const choose = (lasso: readonly Point[], matrix: Matrix, size: Size) => {
    const isInside = (index: number) => {
      const at = toScreen(matrix, positions, index, size)
      return at !== undefined && isChosen(at, lasso)
    }
    const ids = nodes.filter((_, index) => isInside(index)).map(({ id }) => id)
    setLassoed(ids.length === 0 ? undefined : new Set(ids))
  }
  return (
    <div className="stack">
      <section className="sheet" aria-label={t.screens.map}>
        <Toolbar
          tool={tool}
          onTool={setTool}
          colouring={colouring}
          onColouring={setColouring}
          filter={filter}
          onFilter={setFilter}
          dimensions={dimensions}
          onDimensions={(next) => {
            onDimensions(next)
            setView({ ...firstView, dimensions: next })
          }}
          onView={setView}
        />
        <Picture
          positions={positions}
          groups={groups}
          emphasis={emphasis}
          view={view}
          tool={tool}
          onView={setView}
          onLasso={choose}
        />
        <Legend names={names} colouring={colouring} />
      </section>
      <Sheet title={t.map.selected} aside={t.map.selectedOf(chosen.length, nodes.length)} isFlush>
        {lassoed && (
          <p className="pad">
            <button type="button" className="button" onClick={() => setLassoed(undefined)}>
              {t.map.clear}
            </button>
          </p>
        )}
        <ul className="lines" aria-label={t.map.selected}>
          {chosen.slice(0, maxListed).map(({ id, content }) => (
            <li key={id}>
              <i className="dot act" aria-hidden="true" />
              <Link className="read" href={toPath('memories', id)}>
                <PlainText text={content.slice(0, 200)} />
              </Link>
            </li>
          ))}
        </ul>
        {chosen.length > maxListed && (
          <p className="pad faint">{t.map.moreSelected(chosen.length - maxListed)}</p>
        )}
      </Sheet>
    </div>
  )
}

function toEmphasis(
  { id, content }: MapPoint,
  filter: string,
  lassoed: ReadonlySet<string> | undefined,
): number {
  if (filter !== '' && !content.toLowerCase().includes(filter.toLowerCase())) return emphases.hidden
  return lassoed && !lassoed.has(id) ? emphases.faint : emphases.clear
}
