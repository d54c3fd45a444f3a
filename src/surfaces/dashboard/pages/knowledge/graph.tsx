import { useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { Constellation } from '../../queries/knowledge.ts'
import { useRead } from '../../queries/read.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { layOut } from './layout.ts'

const maxNodes = 300
const maxLabels = 60
const maxLabelLength = 26

/** The entities and their links, as a picture and as a list. */
export function Graph() {
  const t = useText()
  const read = useRead<Constellation>('GET /api/knowledge/constellation')
  return (
    <Loaded read={read}>
      {(graph) =>
        graph.entities.length === 0 ? (
          <section className="sheet">
            <Empty title={t.knowledge.none} text={t.knowledge.noneText} />
          </section>
        ) : (
          <div className="stack">
            <Picture graph={graph} />
            <LinkList graph={graph} />
          </div>
        )
      }
    </Loaded>
  )
}

interface GraphProps {
  readonly graph: Constellation
}

function Picture({ graph }: GraphProps) {
  const t = useText()
  const [, go] = useLocation()
  const nodes = useMemo(() => graph.entities.slice(0, maxNodes), [graph])
  const points = useMemo(() => {
    const edges = graph.dependencies.map(({ sourceEntityId: from, targetEntityId: to }) => {
      return { from, to }
    })
    return layOut(nodes, edges)
  }, [graph, nodes])
  const at = (id: string) => points.get(id) ?? { x: 0, y: 0 }
  return (
    <section className="sheet pad" aria-label={t.knowledge.graph}>
      <svg
        className="graph"
        viewBox="0 0 1000 620"
        role="img"
        aria-label={t.knowledge.graphLabel(nodes.length, graph.dependencies.length)}
      >
        {graph.dependencies.map(({ sourceEntityId: from, targetEntityId: to, dependencyType }) => (
          <line
            key={from + to + dependencyType}
            x1={at(from).x}
            y1={at(from).y}
            x2={at(to).x}
            y2={at(to).y}
          />
        ))}
        {nodes.map(({ id, name, mentions }, index) => (
          <g key={id} className="node" onPointerUp={() => go(toPath('knowledge', name))}>
            <circle cx={at(id).x} cy={at(id).y} r={8 + Math.min(10, Math.sqrt(mentions))} />
            {index < maxLabels && (
              <text x={at(id).x} y={at(id).y + 26}>
                {cleanName(name, maxLabelLength)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </section>
  )
}

function LinkList({ graph: { entities, dependencies } }: GraphProps) {
  const t = useText()
  const names = new Map(entities.map(({ id, name }) => [id, name]))
  return (
    <Sheet title={t.knowledge.links} aside={dependencies.length} isFlush>
      {dependencies.length === 0 && <p className="pad faint">{t.knowledge.noLinks}</p>}
      <ul className="lines">
        {dependencies
          .slice(0, maxNodes)
          .map(({ sourceEntityId, targetEntityId, dependencyType }) => (
            <li key={sourceEntityId + targetEntityId + dependencyType}>
              <i className="dot act" aria-hidden="true" />
              <p>
                <EntityLink name={names.get(sourceEntityId)} />{' '}
                <span className="faint">
                  <Name text={dependencyType} />
                </span>{' '}
                <EntityLink name={names.get(targetEntityId)} />
              </p>
            </li>
          ))}
      </ul>
    </Sheet>
  )
}

function EntityLink({ name = '' }: { readonly name: string | undefined }) {
  return (
    <Link href={toPath('knowledge', name)}>
      <Name text={name} />
    </Link>
  )
}
