import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { Hygiene } from '../../queries/knowledge.ts'
import { useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'

/** Entities that look wrong, and mentions that could be linked. */
export function HygieneView() {
  const t = useText()
  const read = useRead<Hygiene>('GET /api/knowledge/hygiene', { query: { limit: 100 } })
  return (
    <Loaded read={read}>
      {({ suspiciousEntities, duplicateEntities, safeMentionCandidates }) => (
        <div className="grid two">
          <Sheet title={t.knowledge.suspicious} aside={suspiciousEntities.length} isFlush>
            {suspiciousEntities.length + duplicateEntities.length === 0 && (
              <p className="pad faint">{t.knowledge.clean}</p>
            )}
            <ul className="lines">
              {suspiciousEntities.map(({ id, name, reason }) => (
                <li key={id}>
                  <i className="dot warn" aria-hidden="true" />
                  <p>
                    <Link href={toPath('knowledge', name)}>
                      <Name text={name} />
                    </Link>
                    <br />
                    <span className="faint">
                      {t.knowledge.reasons[reason] ?? <Name text={reason} />}
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          </Sheet>
          <Sheet title={t.knowledge.mentions} aside={safeMentionCandidates.length} isFlush>
            {safeMentionCandidates.length === 0 && <p className="pad faint">{t.knowledge.clean}</p>}
            <ul className="lines">
              {safeMentionCandidates.map(({ memoryId, entityName, snippet }) => (
                <li key={memoryId + entityName}>
                  <i className="dot lamp" aria-hidden="true" />
                  <p>
                    <Link className="read" href={toPath('memories', memoryId)}>
                      <PlainText text={snippet} />
                    </Link>
                    <br />
                    <span className="faint">
                      <Name text={entityName} />
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          </Sheet>
        </div>
      )}
    </Loaded>
  )
}
