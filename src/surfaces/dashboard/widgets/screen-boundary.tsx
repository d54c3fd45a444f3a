import { Component, type ReactNode } from 'react'
import { ErrorPanel } from './loaded.tsx'

const reloadMark = 'reverie.reload'

/** Catches a fault of a whole screen. A file that an update removed is loaded again once. */
export class ScreenBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    const isMissingFile = error instanceof TypeError && /import|module/i.test(error.message)
    if (isMissingFile && history.state !== reloadMark) {
      history.replaceState(reloadMark, '')
      location.reload()
    }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <ErrorPanel error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}
