import { useState } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { EntityList } from '../../queries/knowledge.ts'
import { useRead } from '../../queries/read.ts'
import { Name } from '../../text/plain-text.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen } from '../../widgets/screen.tsx'
import { toPath, useSegments } from '../../widgets/segments.ts'
import { Subnav } from '../../widgets/subnav.tsx'
import { Time } from '../../widgets/values.tsx'
import { ConflictsView } from './conflicts.tsx'
import { EntityPage } from './entity-page.tsx'
import { Graph } from './graph.tsx'
import { HygieneView } from './hygiene.tsx'
import { Proposals } from './proposals.tsx'

const views = ['graph', 'proposals', 'conflicts', 'hygiene']

export function Page() {
  const t = useText()
  const [, part, id] = useSegments()
  if (part !== undefined && !views.includes(part)) return <EntityPage key={part} name={part} />
  return (
    <Screen name={t.screens.knowledge} lede={t.knowledge.lede}>
      <KnowledgeNav />
      {part === undefined && <Entities />}
      {part === 'graph' && <Graph />}
      {part === 'proposals' && <Proposals openId={id} />}
      {part === 'conflicts' && <ConflictsView />}
      {part === 'hygiene' && <HygieneView />}
    </Screen>
  )
}

function KnowledgeNav() {
  const t = useText()
  return (
    <Subnav
      label={t.knowledge.views}
      links={[
        { href: '/ui/knowledge', text: t.knowledge.entities },
        { href: '/ui/knowledge/graph', text: t.knowledge.graph },
        { href: '/ui/knowledge/proposals', text: t.knowledge.proposals },
        { href: '/ui/knowledge/conflicts', text: t.knowledge.conflicts },
        { href: '/ui/knowledge/hygiene', text: t.knowledge.hygiene },
      ]}
    />
  )
}

const maxEntities = 200

function Entities() {
  const t = useText()
  const [query, setQuery] = useState('')
  const read = useRead<EntityList>(
    'GET /api/knowledge/navigation/entities',
    { query: { limit: maxEntities, ...(query.trim() && { q: query.trim() }) } },
    { keepsPrevious: true },
  )
  return (
    <section className="sheet" aria-label={t.knowledge.entities}>
      <label className="field">
        <Icon name="search" />
        <span className="unseen">{t.knowledge.search}</span>
        <input
          type="search"
          value={query}
          placeholder={t.knowledge.search}
          onChange={({ target }) => setQuery(target.value)}
        />
      </label>
      <Loaded read={read}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              title={query.trim() ? t.knowledge.notFound : t.knowledge.none}
              text={query.trim() ? t.knowledge.notFoundText : t.knowledge.noneText}
            />
          ) : (
            <EntityRows items={items} />
          )
        }
      </Loaded>
    </section>
  )
}

function EntityRows({ items }: EntityList) {
  const t = useText()
  return (
    <ul className="lines" aria-label={t.knowledge.entities} data-rows="">
      {items.map(({ entity, attributeCount, dependencyCount }) => (
        <li key={entity.id}>
          <i className="dot lamp" aria-hidden="true" />
          <p>
            <Link className="read" href={toPath('knowledge', entity.name)} data-row="">
              <Name text={entity.name} />
            </Link>{' '}
            <span className="chip">
              <Name text={entity.entityType.replaceAll('_', ' ')} />
            </span>{' '}
            {entity.pinned && <span className="chip act">{t.memories.pinned}</span>}
            <br />
            <span className="faint">{t.knowledge.counts(attributeCount, dependencyCount)}</span>
          </p>
          <Time at={entity.updatedAt} className="when" />
        </li>
      ))}
    </ul>
  )
}
