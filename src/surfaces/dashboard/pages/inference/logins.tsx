import { useState } from 'react'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Catalogue } from '../../queries/running.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ConfirmButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { LoginDialog } from './login-dialog.tsx'

/** The logins at providers, and the models that each of them has. */
export function Logins() {
  const t = useText()
  const read = useRead<Catalogue>('GET /api/inference/catalog')
  const [chosen, setChosen] = useState<Catalogue['oauthProviders'][number]>()
  return (
    <>
      <Sheet title={t.inference.logins} isFlush>
        <Loaded read={read}>
          {({ oauthProviders }) => (
            <ul className="lines" aria-label={t.inference.logins}>
              {oauthProviders.length === 0 && <li className="faint">{t.inference.noLogins}</li>}
              {oauthProviders.map((provider) => (
                <LoginRow key={provider.id} provider={provider} onLogin={setChosen} />
              ))}
            </ul>
          )}
        </Loaded>
      </Sheet>
      <Sheet title={t.inference.catalogue}>
        <Loaded read={read}>{(catalogue) => <Models catalogue={catalogue} />}</Loaded>
      </Sheet>
      {chosen && <LoginDialog provider={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

interface RowProps {
  readonly provider: Catalogue['oauthProviders'][number]
  readonly onLogin: (provider: RowProps['provider']) => void
}

function LoginRow({ provider, onLogin }: RowProps) {
  const t = useText()
  const { id, name, connected, error } = provider
  const login = useChange('POST /api/inference/oauth/login/:id')
  const disconnect = useChange('POST /api/inference/oauth/disconnect/:id')
  return (
    <li>
      <i className={connected ? 'dot good' : 'dot'} aria-hidden="true" />
      <p>
        <Name text={name} />
        <br />
        <span className="faint">
          {connected ? t.inference.connected : t.inference.notConnected}{' '}
          {error !== undefined && <PlainText text={error} />}
        </span>
      </p>
      <span className="push">
        {connected ? (
          <ConfirmButton
            label={t.inference.disconnect}
            title={t.inference.disconnectTitle(name)}
            confirm={t.inference.disconnectNow}
            run={() => disconnect.run({ path: { id } })}
            done={t.inference.disconnected}
          >
            <p>{t.inference.disconnectText}</p>
          </ConfirmButton>
        ) : (
          <button
            type="button"
            className="button"
            disabled={login.isMissing}
            onClick={() => onLogin(provider)}
          >
            {t.inference.login} <span className="unseen">{name}</span>
          </button>
        )}
      </span>
    </li>
  )
}

const maxModels = 200

function Models({ catalogue }: { readonly catalogue: Catalogue }) {
  const t = useText()
  const format = useFormat()
  const providers = Object.entries(catalogue.models).filter(([, models]) => models.length > 0)
  if (providers.length === 0) return <p className="faint">{t.inference.noModels}</p>
  return providers.map(([provider, models]) => (
    <details key={provider} className="fold">
      <summary>
        <Name text={provider} /> <span className="faint">{models.length}</span>
      </summary>
      <ul>
        {models.slice(0, maxModels).map(({ id, name, contextWindow }) => (
          <li key={id}>
            <Name text={name} />{' '}
            <span className="faint">
              {contextWindow !== null && t.inference.context(format.number(contextWindow))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  ))
}
