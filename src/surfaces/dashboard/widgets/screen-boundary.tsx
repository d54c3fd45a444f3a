import { Component, type ReactNode } from 'react'
import { useText } from '../i18n/language.tsx'
import { readPagesVersion } from '../queries/api.ts'
import { Icon } from './icon.tsx'
import { ErrorPanel } from './loaded.tsx'

const reloadMark = 'reverie.reload'

/** Catches a fault of a whole screen. A file that an update removed causes one reload. */
export class ScreenBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    if (isMissingFile(error) && history.state !== reloadMark) void reloadWhenServed()
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (isMissingFile(error)) return <MissingFile />
    return <ErrorPanel error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}

/** The browsers have no code for it, only these sentences. */
function isMissingFile(error: unknown): boolean {
  return error instanceof TypeError && /import|module/i.test(error.message)
}

/** A reload without the service would replace the page with an error of the browser. */
async function reloadWhenServed(): Promise<void> {
  if ((await readPagesVersion()) === undefined) return
  history.replaceState(reloadMark, '')
  location.reload()
}

function MissingFile() {
  const t = useText()
  return (
    <div className="notice" role="alert">
      <Icon name="warning" />
      <h2>{t.states.missingFile}</h2>
      <p>{t.states.missingFileText}</p>
      <p>
        <button type="button" className="button" onClick={() => void reloadWhenServed()}>
          {t.common.tryAgain}
        </button>
      </p>
    </div>
  )
}
