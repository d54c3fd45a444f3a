import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Agents, Messages, Presences } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Time } from '../../widgets/values.tsx'
import { KeyList, TokenForm } from './credentials.tsx'

export function Page() {
  const t = useText()
  return (
    <Screen name={t.screens.agents} lede={t.running.agentsLede}>
      <div className="grid two">
        <div className="stack">
          <Roster />
          <PresenceList />
          <MessageList />
        </div>
        <div className="stack">
          <KeyList />
          <TokenForm />
        </div>
      </div>
    </Screen>
  )
}

const everyMs = 30_000
const policies = ['isolated', 'shared', 'group']

function Roster() {
  const t = useText()
  const read = useRead<Agents>('GET /api/agents')
  const update = useChange('PATCH /api/agents/:name')
  return (
    <Sheet title={t.running.agents} isFlush>
      <Loaded read={read}>
        {({ agents }) => (
          <ul className="lines" aria-label={t.running.agents}>
            {agents.map(({ id, name, read_policy, created_at }) => (
              <li key={id}>
                <i className="dot act" aria-hidden="true" />
                <p>
                  <Name text={name} />
                  <br />
                  <span className="faint">
                    {t.running.createdAt} <Time at={created_at} />
                  </span>
                </p>
                <select
                  className="plainselect push"
                  aria-label={t.running.policyOf(name)}
                  value={read_policy}
                  onChange={({ target }) =>
                    void update.run({ path: { name }, body: { read_policy: target.value } })
                  }
                >
                  {policies.map((policy) => (
                    <option key={policy} value={policy}>
                      {t.running.policies[policy] ?? policy}
                    </option>
                  ))}
                </select>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}

/** The sessions of agents that are open now. */
function PresenceList() {
  const t = useText()
  const query = { includeSelf: true }
  const read = useRead<Presences>('GET /api/cross-agent/presence', { query }, { everyMs })
  return (
    <Sheet title={t.running.presence} isFlush>
      <Loaded read={read}>
        {({ sessions }) => (
          <ul className="lines" aria-label={t.running.presence}>
            {sessions.length === 0 && <li className="faint">{t.running.noOpenSession}</li>}
            {sessions.map(({ key, sessionKey, agentId, harness, project, lastSeenAt }) => (
              <li key={key}>
                <i className="dot good" aria-hidden="true" />
                <p>
                  <Name text={agentId} />{' '}
                  <span className="chip">
                    <Name text={harness} />
                  </span>
                  <br />
                  <span className="faint">
                    {sessionKey !== null && (
                      <Link href={toPath('sessions', sessionKey)}>
                        <Name text={sessionKey} />
                      </Link>
                    )}{' '}
                    {project !== null && <Name text={project} />}
                  </span>
                </p>
                <Time at={lastSeenAt} className="when" />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}

function MessageList() {
  const t = useText()
  const read = useRead<Messages>('GET /api/cross-agent/messages')
  return (
    <Sheet title={t.running.messages} isFlush>
      <Loaded read={read}>
        {({ items }) => (
          <ul className="lines">
            {items.length === 0 && <li className="faint">{t.running.noMessages}</li>}
            {items.map(({ id, fromAgentId, content, createdAt }) => (
              <li key={id}>
                <i className="dot act" aria-hidden="true" />
                <p>
                  <PlainText text={content} />
                  <br />
                  <span className="faint">
                    <Name text={fromAgentId ?? ''} />
                  </span>
                </p>
                {createdAt !== undefined && <Time at={createdAt} className="when" />}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}
