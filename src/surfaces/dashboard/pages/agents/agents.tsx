import { useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Agents, Keys, Messages } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton, ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Field, Screen, Sheet } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'

export function Page() {
  const t = useText()
  return (
    <Screen name={t.screens.agents} lede={t.running.agentsLede}>
      <div className="grid two">
        <div className="stack">
          <Roster />
          <MessageList />
        </div>
        <KeyList />
      </div>
    </Screen>
  )
}

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
                <i className="dot good" aria-hidden="true" />
                <p>
                  <Name text={name} />
                  <br />
                  <Time at={created_at} className="faint" />
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

/** API keys. The text of a new one is shown once. */
function KeyList() {
  const t = useText()
  const [name, setName] = useState('')
  const [text, setText] = useState<string>()
  const read = useRead<Keys>('GET /api/auth/api-keys')
  const create = useChange<{ readonly key: string }>('POST /api/auth/api-keys')
  const revoke = useChange('DELETE /api/auth/api-keys/:id')
  const add = async () => {
    setText((await create.run({ body: { name, role: 'agent' } })).key)
    setName('')
  }
  return (
    <Sheet title={t.running.keys}>
      <div className="stack">
        <Field label={t.sources.name}>
          <input value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <p>
          <ActionButton label={t.running.createKey} run={add} isDisabled={name === ''} />
        </p>
        {text !== undefined && (
          <div className="notice warn" role="alert">
            <p>{t.running.shownOnce}</p>
            <p className="mono">{text}</p>
          </div>
        )}
        <Loaded read={read}>
          {({ keys }) => (
            <ul className="similar">
              {keys.length === 0 && <li className="faint">{t.running.noKeys}</li>}
              {keys.map((key) => (
                <li key={key.id} className="row wrap">
                  <Name text={key.name} /> <span className="chip">{key.role}</span>
                  {!key.revokedAt && (
                    <span className="push">
                      <ConfirmButton
                        label={t.running.revoke}
                        tone="danger"
                        title={t.running.revokeTitle(key.name)}
                        confirm={t.running.revokeConfirm}
                        run={() => revoke.run({ path: { id: key.id } })}
                        done={t.running.done}
                      >
                        <p>{t.running.revokeText}</p>
                      </ConfirmButton>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Sheet>
  )
}
