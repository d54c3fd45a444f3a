import { useMemo } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { Constellation } from '../../queries/knowledge.ts'
import { useRead } from '../../queries/read.ts'
import { Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { GraphPicture } from './graph-picture.tsx'

const maxNodes = 300

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
  const nodes = useMemo(() => graph.entities.slice(0, maxNodes), [graph])
  const edges = useMemo(() => toEdges(graph), [graph])
  return (
    <section className="sheet pad" aria-label={t.knowledge.graph}>
      <GraphPicture
        nodes={nodes}
        edges={edges}
        label={t.knowledge.graphLabel(nodes.length, graph.dependencies.length)}
      />
    </section>
  )
}

function toEdges({ dependencies }: Constellation) {
  return dependencies.map(({ sourceEntityId: from, targetEntityId: to }) => ({ from, to }))
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
                  <Name text={dependencyType.replaceAll('_', ' ')} />
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
