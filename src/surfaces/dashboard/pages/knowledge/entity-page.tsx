import { useMemo } from 'react'
import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { Aliases, Dependencies, Slot, Tree } from '../../queries/knowledge.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { MergeButton, SplitButton } from './entity-changes.tsx'
import { GraphPicture } from './graph-picture.tsx'
import { Notes } from './notes.tsx'

const maxNeighbours = 24

/** One entity as a page: what is known, and the words that it rests on. */
export function EntityPage({ name }: { readonly name: string }) {
  const t = useText()
  const read = useRead<Tree>('GET /api/knowledge/navigation/tree', { query: { entity: name } })
  return (
    <Screen name={name} title={<Name text={name} />} actions={<EntityActions read={read.data} />}>
      <p className="row wrap faint crumbs">
        <Link href="/ui/knowledge">{t.screens.knowledge}</Link>
        <span>{'›'}</span>
        {read.data && <Name text={read.data.entity.entityType} />}
      </p>
      <Loaded read={read}>
        {(tree) => (
          <div className="grid two">
            <Article tree={tree} />
            <Around id={tree.entity.id} name={tree.entity.name} />
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

function EntityActions({ read }: { readonly read: Tree | undefined }) {
  const t = useText()
  const pin = useChange('POST /api/knowledge/entities/:id/pin')
  const unpin = useChange('DELETE /api/knowledge/entities/:id/pin')
  if (!read) return null
  const { id, pinned } = read.entity
  const change = pinned ? unpin : pin
  return (
    <>
      <ActionButton
        label={pinned ? t.memories.unpin : t.memories.pin}
        run={() => change.run({ path: { id } })}
        done={t.memories.edited}
      />
      <MergeButton tree={read} />
      <SplitButton tree={read} />
    </>
  )
}

interface Claim extends Slot {
  readonly preview: string
  readonly supersededCount: number
}

function Article({ tree }: { readonly tree: Tree }) {
  const t = useText()
  const sections = tree.items.map(({ aspect, groups }) => ({
    ...aspect,
    claims: groups.flatMap(({ groupKey, claims }) =>
      claims
        .filter(({ activeCount }) => activeCount > 0)
        .map(({ claimKey, preview, supersededCount }): Claim => {
          const slot = { entity: tree.entity.name, aspect: aspect.name, group: groupKey }
          return { ...slot, claim: claimKey, preview: preview ?? '', supersededCount }
        }),
    ),
  }))
  const claims = sections.flatMap((section) => section.claims)
  return (
    <article className="sheet page">
      {claims.length === 0 && <p className="text faint">{t.knowledge.nothingKnown}</p>}
      {sections.map((section) => (
        <section key={section.id} className="stack tight">
          <h2>
            <Name text={section.name} />
          </h2>
          {section.claims.map((claim) => (
            <Sentence
              key={claim.group + claim.claim}
              claim={claim}
              number={claims.indexOf(claim) + 1}
            />
          ))}
        </section>
      ))}
      <Notes slots={claims} />
    </article>
  )
}

function Sentence({ claim, number }: { readonly claim: Claim; readonly number: number }) {
  const t = useText()
  return (
    <p className="text">
      <span className="path">
        <PlainText text={claim.claim.replaceAll('_', ' ')} />
      </span>{' '}
      <PlainText text={claim.preview} />
      <sup>
        <a href={`#note-${number}`}>{number}</a>
      </sup>
      {claim.supersededCount > 0 && (
        <span className="chip">{t.knowledge.older(claim.supersededCount)}</span>
      )}
    </p>
  )
}

/** Links to other entities, and the other names of this one. */
function Around({ id, name }: { readonly id: string; readonly name: string }) {
  const t = useText()
  const links = useRead<Dependencies>('GET /api/knowledge/entities/:id/dependencies', {
    path: { id },
  })
  const aliases = useRead<Aliases>('GET /api/ontology/entities/:id/aliases', { path: { id } })
  return (
    <div className="stack">
      <Sheet
        title={t.knowledge.around}
        aside={<Link href="/ui/knowledge/graph">{t.knowledge.openGraph}</Link>}
        isFlush
      >
        <Loaded read={links}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="pad faint">{t.knowledge.noLinks}</p>
            ) : (
              <>
                <Neighbours name={name} items={items} />
                <ul className="lines">
                  {items.map((link) => (
                    <LinkLine key={link.id} link={link} />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      </Sheet>
      <Sheet title={t.knowledge.aliases}>
        <Loaded read={aliases}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="faint">{t.knowledge.noAliases}</p>
            ) : (
              <p className="row wrap">
                {items.map(({ id: alias, alias: text, name: other }) => (
                  <span key={alias} className="chip">
                    <Name text={text ?? other ?? ''} />
                  </span>
                ))}
              </p>
            )
          }
        </Loaded>
      </Sheet>
    </div>
  )
}

interface NeighboursProps extends Dependencies {
  readonly name: string
}

/** The entity in the middle of those that it is linked with. */
function Neighbours({ name, items }: NeighboursProps) {
  const t = useText()
  const { nodes, edges } = useMemo(() => {
    const links = items.slice(0, maxNeighbours)
    const names = links.flatMap((link) => [link.sourceEntityName, link.targetEntityName])
    return {
      nodes: [...new Set([name, ...names])].map((id) => ({ id, name: id, mentions: 0 })),
      edges: links.map(({ sourceEntityName: from, targetEntityName: to }) => ({ from, to })),
    }
  }, [name, items])
  return (
    <div className="neighbours">
      <GraphPicture
        nodes={nodes}
        edges={edges}
        selfId={name}
        label={t.knowledge.graphLabel(nodes.length, edges.length)}
      />
    </div>
  )
}

function LinkLine({ link }: { readonly link: Dependencies['items'][number] }) {
  const { direction, dependencyType, sourceEntityName, targetEntityName } = link
  const isOut = direction === 'outgoing'
  const other = isOut ? targetEntityName : sourceEntityName
  return (
    <li>
      <i className="dot act" aria-hidden="true" />
      <p>
        <span className="faint">
          {isOut ? '→ ' : '← '}
          <Name text={dependencyType.replaceAll('_', ' ')} />
        </span>{' '}
        <Link href={toPath('knowledge', other)}>
          <Name text={other} />
        </Link>
      </p>
    </li>
  )
}
